/** States that the page keeps until its tab is closed. */
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { State } from '../../state/store.js'
import { change, get } from './api.js'
import { Button, notify } from './ui.js'

interface Snapshot {
  name: string
  state: State
}

/** Contains the address of the page, since each instance has its own. */
const key = `tracker-kit snapshots ${location.pathname}`

function stored(): Snapshot[] {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '[]')
  } catch {
    return []
  }
}

/** `children` are other actions on the state. */
export function Snapshots({ children }: { children: ComponentChildren }) {
  const [snapshots, setSnapshots] = useState(stored)
  const keep = (next: Snapshot[]) => {
    setSnapshots(next)
    try {
      sessionStorage.setItem(key, JSON.stringify(next))
    } catch {
      // Too large for the storage: the snapshot is lost with a reload.
    }
  }
  const take = async () => {
    const state = await get<State>('state')
    keep([...snapshots, { name: new Date().toLocaleTimeString(), state }])
    notify('Snapshot taken')
  }
  const restore = async ({ name, state }: Snapshot) => {
    await change('PUT', 'state', state)
    notify(`Restored ${name}`)
  }
  return (
    <>
      <div class="toolbar">
        <Button onClick={take} tone="primary" title="Keeps the state in this tab, to be restored at a click">
          Snapshot
        </Button>
        {children}
      </div>
      <ul class="snapshots">
        {snapshots.map((snapshot, index) => (
          <li key={`${snapshot.name} ${index}`}>
            <span>
              {snapshot.name} <span class="muted">{snapshot.state.users.length} users</span>
            </span>
            <Button onClick={() => restore(snapshot)}>Restore</Button>
            <Button onClick={() => keep(snapshots.filter((one) => one !== snapshot))}>Forget</Button>
          </li>
        ))}
      </ul>
    </>
  )
}
