/** Access levels, by name and by number. */
export const levels = {
  viewer: 10,
  reporter: 25,
  updater: 40,
  developer: 55,
  manager: 70,
  administrator: 90,
} as const

export type LevelName = keyof typeof levels

const byLevel = new Map<number, string>(Object.entries(levels).map(([name, level]) => [level, name]))

export const levelNumbers: readonly number[] = Object.values(levels)

export const levelName = (level: number): string => byLevel.get(level) ?? `@${level}@`
