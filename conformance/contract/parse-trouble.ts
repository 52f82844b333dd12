/** What is wrong with a text that is no JSON, in one line. The parser quotes the text, and there may be a token in it. */
export function parseTrouble(error: unknown): string {
  const { message } = error as Error
  return message.replace(/, (\.\.\.)?"[\s\S]*"(\.\.\.)? is not valid JSON/, '').replace(/\s+/g, ' ')
}
