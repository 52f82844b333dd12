/** How decisions refuse a project that does not exist, in a list of several; skipped, it is left out. */
export const unknownProject = (member: string, id: string) =>
  ({
    invalid: {
      condition: 'invalid-value',
      with: [member],
      detail: `Project ${id} does not exist`,
    },
    'not-found': ['project-not-found', id],
  }) as const
