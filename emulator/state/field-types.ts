/** The types of custom fields: the position of each name is its number. */
export const fieldTypes = [
  'string',
  'numeric',
  'float',
  'enum',
  'email',
  'checkbox',
  'list',
  'multilist',
  'date',
  'radio',
  'textarea',
] as const

export type FieldType = (typeof fieldTypes)[number]
