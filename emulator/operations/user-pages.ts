/** Operations 7 and 11: the pages to create and edit users. */
import {
  dateValue,
  idsAndNames,
  isLastAdministrator,
  levelChoices,
  levelValue,
  needPageLevel,
  projectLevel,
  viewState,
} from '../request/access.js'
import { page } from '../request/answers.js'
import type { AdmittedCall } from '../request/call.js'
import { define } from '../request/operation.js'
import { languageChoices, timezoneChoices } from '../request/preferences.js'
import { levels } from '../state/levels.js'
import { mails } from '../users/effects.js'
import { findUser } from '../users/find.js'
import { userRecord, writtenFields } from '../users/record.js'
import { LOCKED_AFTER, needLevelOver } from '../users/rights.js'

export const getUserCreatePage = define({
  gate: (c) => needPageLevel(c, c.decisions['create-permission'], 'see the user create page'),
  run(c) {
    const level = levelValue(c, levels[c.decisions['create-access-level-default']])
    const flags = { can_set_password: !mails(c), can_notify: mails(c) }
    const user = { access_level: level, enabled: true, protected: false }
    return page('user', user, { ...userChoices(c), flags })
  },
})

const userChoices = (c: AdmittedCall) => ({
  access_levels: levelChoices(c),
  languages: languageChoices,
  timezones: timezoneChoices(),
  limits: { username: c.decisions['create-username-rules'] === 'up-to-64' ? 64 : 191, realname: 255 },
})

export const getUserEditPage = define({
  gate: (c) => needPageLevel(c, c.decisions['create-permission'], 'see the user edit page'),
  find: findUser,
  guard: needLevelOver,
  run(c, user) {
    const { memberships, projects } = c.store.db
    const inProject = (id: number) => memberships.find('pair', `${user.id}/${id}`)
    return page('user', userRecord(c, user, [...writtenFields, 'projects']), {
      ...userChoices(c),
      failed_logins: user.failed_logins,
      last_visit: dateValue(c, user.last_visit),
      project_levels: projects.rows
        .filter(({ id }) => inProject(id))
        .map((project) => ({
          project: { id: project.id, name: project.name },
          level: projectLevel(c, user, project),
          view_state: viewState(c, project),
        })),
      other_projects: idsAndNames(projects.rows.filter(({ id, enabled }) => enabled && !inProject(id))),
      flags: {
        can_reset: user.id !== c.caller.id && user.enabled && !user.protected,
        can_disable: !isLastAdministrator(c, user),
        can_impersonate: user.id !== c.caller.id && user.enabled,
        can_notify: mails(c),
        is_locked: user.failed_logins >= LOCKED_AFTER,
      },
    })
  },
})
