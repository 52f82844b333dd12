/** Which parts of the interface the client's requests have used, and which requests the document does not allow. */
import type { Coverage } from '../../observe/coverage.js'
import type { Violation } from '../../types.js'
import { type SectionProps, useFetched } from './live.js'
import { Empty, Table } from './ui.js'

export function ClientSection({ live: { revision } }: SectionProps) {
  const { data: coverage, error } = useFetched<Coverage>('coverage', revision)
  const { data: violations } = useFetched<readonly Violation[]>('violations', revision)
  if (!coverage) return <Empty>{error ?? 'Loading…'}</Empty>
  const statuses = Object.keys(coverage.operations[0]?.statuses ?? {})
  const called = coverage.operations.filter(({ calls }) => calls > 0)
  const roles = coverage.roles.filter(({ calls }) => calls > 0).map(({ name }) => name)
  return (
    <>
      <p class="lead">
        What your client has called since this tracker was made, and what it has never seen. It called{' '}
        {called.length} of {coverage.operations.length} operations, as {roles.join(', ') || 'nobody'}.
      </p>
      <h2>
        Requests since the last reset that the document does not allow{' '}
        <span class="muted">{violations?.length ?? 0}</span>
      </h2>
      {violations?.length === 0 && <Empty>None.</Empty>}
      <ul class="list">
        {violations?.toReversed().map(({ sequence, operation, message, section, field }) => (
          <li key={`${sequence} ${field} ${message}`} class="box open">
            <p>
              <b>{operation ?? 'no operation'}</b> {message}{' '}
              <span class="muted">{`call ${sequence}, section ${section}`}</span>
            </p>
          </li>
        ))}
      </ul>
      <h2>Operations</h2>
      <Table
        label="Operations"
        heads={['operation', 'calls', ...statuses]}
        rows={coverage.operations.map(({ id, calls, statuses: counts }) => ({
          key: id,
          cells: [id, calls || 'never', ...statuses.map((status) => counts[status] || '–')],
        }))}
      />
    </>
  )
}
