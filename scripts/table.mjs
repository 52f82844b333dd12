/** A table of Markdown. All but the first column stand to the right if they hold figures. */
export function table(head, rows, numeric = false) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, index) => (numeric && index > 0 ? '---:' : '---'))
  return [line(head), line(rule), ...rows.map(line)]
}
