/** Writes the reports to a directory, each file in one step. */
import { join } from 'node:path'
import { html } from './html.js'
import { junit } from './junit.js'
import { markdown } from './markdown.js'
import type { Report } from './report.js'
import { sarif } from './sarif.js'
import { writeWhole } from './whole-file.js'

export async function writeReports(report: Report, directory: string): Promise<void> {
  await writeFiles(directory, {
    'report.json': `${JSON.stringify(report, null, 2)}\n`,
    'report.html': html(report),
    'junit.xml': junit(report),
    'report.sarif': sarif(report),
    'summary.md': markdown(report),
  })
}

/** Writes texts by file name. */
export async function writeFiles(directory: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    const file = join(directory, name)
    await writeWhole(file, file, () => text)
  }
}
