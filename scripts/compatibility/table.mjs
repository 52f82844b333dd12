/** The table of the results, for people. */

const cells = { works: 'works', failed: '**fails**', 'ruled out': 'ruled out' }

export function markdown(title, nodes, results) {
  const columns = nodes.map(({ major }) => `Node ${major}`)
  const perNode = results.filter(({ column }) => columns.includes(column))
  const rest = results.filter(({ column }) => !columns.includes(column))
  const rows = [...new Set(perNode.map(({ row }) => row))].map((row) => [
    row,
    ...columns.map((column) => {
      const found = perNode.find((one) => one.row === row && one.column === column)
      return found
        ? [cells[found.outcome], found.outcome === 'works' ? found.detail : ''].filter(Boolean).join(', ')
        : ''
    }),
  ])
  const reasons = new Set(
    results.filter(({ outcome }) => outcome === 'ruled out').map(({ detail }) => detail),
  )
  return [
    `# ${title}`,
    '',
    ...table(['', ...nodes.map(({ version }) => `Node ${version}`)], rows),
    '',
    ...[...reasons].map((reason) => `- ruled out: ${reason}`),
    ...(reasons.size > 0 ? [''] : []),
    ...(rest.length === 0
      ? []
      : table(
          ['', 'any Node', ''],
          rest.map(({ row, outcome, detail }) => [row, cells[outcome], detail]),
        )),
    '',
  ].join('\n')
}

function table(head, rows) {
  const line = (texts) => `| ${texts.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}
