/** Statements of the document that no check can judge from outside: by section, each with the reason. */
export const unobservable: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '1': {
    'Each page operation is implemented by a named server command.':
      'The name of the command does not appear in any request or answer.',
    'Requests with a body are sent as JSON.':
      'It binds the client; what a tracker does with another content type is not shown.',
  },
  '2.1': {
    'The avatar is data that the configured avatar integration accepts.':
      'The integration, and so the form of the data, is not shown.',
    'The password that a creation or an administrator gives is the one of the account.':
      'How a token is issued for a password is not shown, so nothing can be asked in its name.',
    '`notify_user` decides whether the user is notified about an update.':
      'The content and the channel of the notification are left open.',
  },
  '2.5': {
    'A definition is sanitized before it is stored.':
      'Which characters are taken out is not shown; a refusal and a change are both legal.',
  },
  '4.1': {
    'Users are created, updated and reset by the workflows of the tracker.':
      'The workflows are those of the tracker; their results alone can be seen.',
    'Access to disabled users and sensitive fields follows the permissions of the tracker.':
      'Which permission shows what is not shown; what was seen is recorded.',
    'A reset restores the account state.': 'The account state has no shown form.',
  },
}
