/** Statements of the document that no check can judge from outside, each with the reason. */
export interface Unobservable {
  readonly section: string
  readonly statement: string
  readonly reason: string
}

export const unobservable: readonly Unobservable[] = [
  {
    section: '1',
    statement: 'Each page operation is implemented by a named server command.',
    reason: 'The name of the command does not appear in any request or answer.',
  },
  {
    section: '1',
    statement: 'Requests with a body are sent as JSON.',
    reason: 'It binds the client; what a tracker does with another content type is not shown.',
  },
  {
    section: '2.1',
    statement: 'The avatar is data that the configured avatar integration accepts.',
    reason: 'The integration, and so the form of the data, is not shown.',
  },
  {
    section: '2.1',
    statement: 'The password that a creation or an administrator gives is the one of the account.',
    reason: 'How a token is issued for a password is not shown, so nothing can be asked in its name.',
  },
  {
    section: '2.1',
    statement: '`notify_user` decides whether the user is notified about an update.',
    reason: 'The content and the channel of the notification are left open.',
  },
  {
    section: '2.5',
    statement: 'A definition is sanitized before it is stored.',
    reason: 'Which characters are taken out is not shown; a refusal and a change are both legal.',
  },
  {
    section: '4.1',
    statement: 'Users are created, updated and reset by the workflows of the tracker.',
    reason: 'The workflows are those of the tracker; their results alone can be seen.',
  },
  {
    section: '4.1',
    statement: 'Access to disabled users and sensitive fields follows the permissions of the tracker.',
    reason: 'Which permission shows what is not shown; what was seen is recorded.',
  },
  {
    section: '4.1',
    statement: 'A reset restores the account state.',
    reason: 'The account state has no shown form.',
  },
]
