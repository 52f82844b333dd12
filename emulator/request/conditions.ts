/**
 * Error conditions, one row each: status and number in the family, and the sentence for the user in three languages.
 * `{0}` and `{1}` are parameters. A condition without a number occurs before an operation is reached; `unmapped`: the
 * family has the number, but no status for it. 405 and 500 answer requests and faults outside the document.
 */
import type { ErrorStatus } from '../../conformance/contract/errors.js'

export const languages = ['english', 'german', 'french'] as const
export type Language = (typeof languages)[number]

export interface Condition {
  readonly status: ErrorStatus | 405 | 500
  readonly number: number | null
  readonly text: Readonly<Record<Language, string>>
  readonly unmapped: boolean
}

type ConditionRow = readonly [Condition['status'], number | null, ...Sentences, 'unmapped'?]
type Sentences = [english: string, german: string, french: string]

// biome-ignore format: one row for each condition
const rows = {
  unauthenticated: [401, null, 'A valid API token is required', 'Ein gültiges API-Token ist erforderlich', "Un jeton d'API valide est requis"],
  'unknown-path': [404, null, 'Not found', 'Nicht gefunden', 'Introuvable'],
  'wrong-method': [405, null, 'Method not allowed. Must be one of: {0}', 'Methode nicht erlaubt. Möglich: {0}', 'Méthode non autorisée. Possibles : {0}'],
  'malformed-path': [400, null, 'The path is not properly encoded', 'Der Pfad ist nicht richtig kodiert', "Le chemin n'est pas correctement encodé"],
  'malformed-body': [400, null, 'Invalid request body or format', 'Ungültiger Inhalt oder ungültiges Format der Anfrage', 'Corps ou format de requête non valide'],
  'body-too-large': [400, null, 'The request body is larger than {0} bytes', 'Die Anfrage ist größer als {0} Bytes', 'Le corps de la requête dépasse {0} octets'],
  'unexpected-body': [400, null, 'This operation takes no request body', 'Dieser Aufruf hat keinen Inhalt', "Cette opération n'a pas de corps de requête"],
  internal: [500, null, 'The emulator failed: {0}', 'Der Emulator hat versagt: {0}', "L'émulateur a échoué : {0}"],
  injected: [500, null, 'Injected fault {0}', 'Eingefügter Fehler {0}', 'Erreur injectée {0}'],
  'empty-field': [400, 11, 'The field "{0}" must not be empty', 'Das Feld „{0}“ darf nicht leer sein', 'Le champ « {0} » ne doit pas être vide'],
  'protected-account': [403, 12, 'The account is protected', 'Das Konto ist geschützt', 'Le compte est protégé'],
  'access-denied': [403, 13, 'Access denied', 'Zugriff verweigert', 'Accès refusé'],
  'invalid-sort-field': [400, 20, 'Cannot sort by "{0}"', 'Nach „{0}“ kann nicht sortiert werden', 'Impossible de trier par « {0} »'],
  'field-too-long': [400, 28, 'The field "{0}" is limited to {1} characters', 'Das Feld „{0}“ ist auf {1} Zeichen begrenzt', 'Le champ « {0} » est limité à {1} caractères'],
  'invalid-value': [400, 29, 'Invalid value for "{0}"', 'Ungültiger Wert für „{0}“', 'Valeur non valide pour « {0} »'],
  'option-not-found': [400, 100, 'The option "{0}" was not found', 'Die Option „{0}“ gibt es nicht', "L'option « {0} » est introuvable"],
  'option-invalid': [400, 101, 'The option "{0}" has an invalid value', 'Die Option „{0}“ hat einen ungültigen Wert', "L'option « {0} » a une valeur non valide"],
  'option-file-only': [400, 102, 'The option "{0}" can be set in the configuration file only', 'Die Option „{0}“ kann nur in der Konfigurationsdatei gesetzt werden', "L'option « {0} » ne peut être définie que dans le fichier de configuration"],
  'array-expected': [400, 201, 'A list was expected for "{0}"', 'Für „{0}“ wird eine Liste erwartet', 'Une liste est attendue pour « {0} »'],
  'project-not-found': [404, 700, 'Project "{0}" not found', 'Das Projekt „{0}“ gibt es nicht', 'Projet « {0} » introuvable'],
  'username-not-unique': [400, 800, 'The username "{0}" is taken', 'Der Benutzername „{0}“ ist vergeben', "Le nom d'utilisateur « {0} » est déjà pris"],
  'username-invalid': [400, 805, 'The username "{0}" is invalid', 'Der Benutzername „{0}“ ist ungültig', "Le nom d'utilisateur « {0} » n'est pas valide"],
  'user-lacks-level': [400, 806, 'The user does not have the required access level', 'Dem Benutzer fehlt die nötige Berechtigungsstufe', "L'utilisateur n'a pas le niveau d'accès requis"],
  'last-administrator': [400, 808, 'The last administrator cannot be changed in this way', 'Der letzte Administrator kann nicht so geändert werden', 'Le dernier administrateur ne peut pas être modifié ainsi'],
  'realname-invalid': [400, 809, 'The real name is invalid', 'Der wirkliche Name ist ungültig', "Le nom réel n'est pas valide"],
  'user-not-found-by-name': [404, 810, 'No user is called "{0}"', 'Kein Benutzer heißt „{0}“', "Aucun utilisateur ne s'appelle « {0} »"],
  'user-not-found-by-id': [404, 811, 'No user has the id {0}', 'Kein Benutzer hat die Nummer {0}', "Aucun utilisateur n'a le numéro {0}"],
  'current-password-mismatch': [403, 812, 'The current password is wrong', 'Das jetzige Passwort ist falsch', 'Le mot de passe actuel est incorrect'],
  'email-not-unique': [400, 813, 'The e-mail address is taken', 'Die E-Mail-Adresse ist vergeben', "L'adresse e-mail est déjà utilisée"],
  'email-invalid': [400, 1200, 'The e-mail address is invalid', 'Die E-Mail-Adresse ist ungültig', "L'adresse e-mail n'est pas valide"],
  'email-disposable': [400, 1201, 'Disposable e-mail addresses are not allowed', 'Wegwerfadressen sind nicht erlaubt', 'Les adresses e-mail jetables ne sont pas autorisées'],
  'custom-field-not-found': [404, 1300, 'Custom field {0} not found', 'Das Feld {0} gibt es nicht', 'Champ personnalisé {0} introuvable'],
  'custom-field-not-unique': [400, 1301, 'A custom field is called "{0}" already', 'Ein Feld heißt schon „{0}“', "Un champ personnalisé s'appelle déjà « {0} »"],
  'custom-field-in-use': [400, 1302, 'The custom field is linked to a project', 'Das Feld wird in einem Projekt verwendet', 'Le champ personnalisé est utilisé dans un projet'],
  'custom-field-invalid-value': [400, 1303, 'Invalid value for the custom field "{0}"', 'Ungültiger Wert für das Feld „{0}“', 'Valeur non valide pour le champ « {0} »'],
  'custom-field-invalid-definition': [400, 1304, 'Invalid definition of a custom field: {0}', 'Ungültige Definition eines Feldes: {0}', "Définition non valide d'un champ personnalisé : {0}"],
  'custom-field-invalid-property': [400, 1306, 'Invalid property of a custom field: {0}', 'Ungültige Eigenschaft eines Feldes: {0}', "Propriété non valide d'un champ personnalisé : {0}"],
  'custom-field-name-invalid': [400, 1307, 'The name "{0}" must not contain a comma', 'Der Name „{0}“ darf kein Komma enthalten', 'Le nom « {0} » ne doit pas contenir de virgule', 'unmapped'],
  'email-needed-for-reset': [400, 1902, 'An e-mail address is needed to reset the password', 'Zum Zurücksetzen ist eine E-Mail-Adresse nötig', 'Une adresse e-mail est nécessaire pour la réinitialisation'],
  'plugin-not-registered': [404, 2500, 'Plugin "{0}" is not registered', 'Das Plugin „{0}“ ist nicht registriert', "Le plugin « {0} » n'est pas enregistré", 'unmapped'],
  'plugin-already-installed': [400, 2501, 'Plugin "{0}" is installed already', 'Das Plugin „{0}“ ist schon installiert', 'Le plugin « {0} » est déjà installé', 'unmapped'],
  'plugin-install-failed': [400, 2504, 'Plugin could not be installed: {0}', 'Das Plugin konnte nicht installiert werden: {0}', "Le plugin n'a pas pu être installé : {0}", 'unmapped'],
  'plugin-entity-not-found': [404, 2511, 'Entity "{0}" of a plugin not found', '„{0}“ eines Plugins gibt es nicht', "L'élément « {0} » d'un plugin est introuvable"],
  'columns-duplicate': [400, 2600, 'The column "{0}" is listed twice', 'Die Spalte „{0}“ steht doppelt in der Liste', 'La colonne « {0} » figure deux fois'],
  'columns-invalid': [400, 2601, 'The column "{0}" does not exist', 'Die Spalte „{0}“ gibt es nicht', "La colonne « {0} » n'existe pas"],
} as const satisfies Record<string, ConditionRow>

export type ConditionId = keyof typeof rows

export const conditions = Object.fromEntries(
  Object.entries<ConditionRow>(rows).map(([id, [status, number, english, german, french, unmapped]]) => [
    id,
    { status, number, text: { english, german, french }, unmapped: unmapped !== undefined },
  ]),
) as Readonly<Record<ConditionId, Condition>>
