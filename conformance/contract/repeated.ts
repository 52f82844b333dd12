/** Repeated names in JSON, which some parsers refuse. */

/** Whether an object in the text of a value has two members of one name. */
export const repeatsNames = (text: string, value: unknown): boolean =>
  namesIn(text).length > namesIn(JSON.stringify(value)).length

const namesIn = (text: string) =>
  (text.match(/"(?:[^"\\]|\\.)*"\s*:?/g) ?? []).filter((one) => one.endsWith(':'))
