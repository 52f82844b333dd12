/** How long something took, as every report says it: `1.2 s`. */
export const secondsOf = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
