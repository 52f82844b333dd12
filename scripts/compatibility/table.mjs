/** The table of the results, for people. */

const cells = { works: 'works', failed: '**fails**', 'ruled out': 'ruled out' }

/** A column for each version of Node, and one for what does not depend on it. */
export function markdown(title, nodes, results) {
  const columns = [...nodes.map(({ major }) => `Node ${major}`), 'any Node']
  const rows = [...new Set(results.map(({ row }) => row))].map((row) => [
    row,
    ...columns.map((column) => {
      const found = results.find((one) => one.row === row && one.column === column)
      if (!found) return ''
      const { outcome, detail } = found
      return outcome === 'works' && detail !== '' ? `works, ${detail}` : cells[outcome]
    }),
  ])
  const reasons = results.flatMap(({ outcome, detail }) => (outcome === 'ruled out' ? [detail] : []))
  const line = (texts) => `| ${texts.join(' | ')} |`
  const head = ['', ...nodes.map(({ version }) => `Node ${version}`), 'any Node']
  return [
    ...[`# ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''],
    ...[...new Set(reasons)].map((reason) => `- ruled out: ${reason}`),
    '',
  ].join('\n')
}
