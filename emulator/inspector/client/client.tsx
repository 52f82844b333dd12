/** What the client's requests have met of the interface, and which of them the document does not allow. */
import type { Coverage } from '../../observe/coverage.js'
import type { Violation } from '../../types.js'
import { useFetched } from './live.js'
import { Empty, Section, WideTable } from './ui.js'

export function ClientSection({ revision }: { readonly revision: number }) {
  const { data: coverage, error } = useFetched<Coverage>('coverage', revision)
  const { data: violations } = useFetched<readonly Violation[]>('violations', revision)
  if (!coverage) return <Empty>{error ?? 'Loading…'}</Empty>
  const statuses = Object.keys(coverage.operations[0]?.statuses ?? {})
  const called = coverage.operations.filter(({ calls }) => calls > 0).length
  return (
    <Section id="client" title="Client">
      <p class="lead">
        What your client has called since this tracker was made, and what it has never seen. It called{' '}
        {called} of {coverage.operations.length} operations, as{' '}
        {coverage.roles.flatMap(({ name, calls }) => (calls > 0 ? [name] : [])).join(', ') || 'nobody'}.
      </p>
      <h2>
        Requests since the last reset that the document does not allow{' '}
        <span class="muted">{violations?.length ?? 0}</span>
      </h2>
      {violations?.length === 0 && <Empty>None.</Empty>}
      <ul class="faults">
        {violations?.toReversed().map(({ sequence, operation, message, section, field }) => (
          <li key={`${sequence} ${field} ${message}`} class="box open">
            <p>
              <b>{operation ?? 'no operation'}</b> {message}{' '}
              <span class="muted">
                call {sequence}, section {section}
              </span>
            </p>
          </li>
        ))}
      </ul>
      <h2>Operations</h2>
      <WideTable
        label="Operations"
        heads={['operation', 'calls', ...statuses]}
        rows={coverage.operations.map(({ id, calls, statuses: counts }) => (
          <tr key={id}>
            <td data-label="operation">
              <a href={`#send/${id}`}>{id}</a>
            </td>
            <td data-label="calls">{calls || <span class="muted">never</span>}</td>
            {statuses.map((status) => (
              <td key={status} data-label={status}>
                {counts[status] || <span class="muted">–</span>}
              </td>
            ))}
          </tr>
        ))}
      />
    </Section>
  )
}
