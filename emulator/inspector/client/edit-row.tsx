/** A row of the state as JSON, to add, to change or to remove. */
import { useState } from 'preact/hooks'
import type { Cells, Tables } from '../tables.js'
import { change } from './api.js'
import { Button, Field, notify, parsed } from './ui.js'

interface EditRowProps {
  readonly collection: keyof Tables
  /** Null: a new one. */
  readonly row: string | null
  /** What is there at first. */
  readonly cells: Cells
  readonly onDone: () => void
}

export function EditRow({ collection, row, cells, onDone }: EditRowProps) {
  const [text, setText] = useState(JSON.stringify(cells, null, 2))
  const put = async (next: unknown, told: string) => {
    await change('POST', 'inspector/row', { collection, key: row, cells: next })
    notify(told)
    onDone()
  }
  const save = async () => put(parsed(text, 'This is not JSON'), row === null ? 'Added' : 'Saved')
  return (
    <div class="form">
      <Field label={row === null ? 'New row, as JSON; what you leave out is filled in' : 'Row, as JSON'}>
        <textarea
          rows={Math.min(24, text.split('\n').length + 1)}
          spellcheck={false}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </Field>
      <div class="actions">
        <Button onClick={save} tone="primary">
          {row === null ? 'Add' : 'Save'}
        </Button>
        {row !== null && (
          <Button onClick={() => put(null, 'Removed')} tone="danger">
            Remove
          </Button>
        )}
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </div>
  )
}
