/** Whether a condition under which the document demands a refusal holds; `open` where the document does not decide. */
export type Held = 'violated' | 'satisfied' | 'open'
export type Level = 'must' | 'should'

export const worst = (all: readonly Held[]): Held =>
  all.includes('violated') ? 'violated' : all.includes('open') ? 'open' : 'satisfied'

export const violatedIf = (condition: boolean): Held => (condition ? 'violated' : 'satisfied')
export const openIf = (condition: boolean): Held => (condition ? 'open' : 'satisfied')
