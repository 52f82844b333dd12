export * from './bodies.js'
export * from './errors.js'
export * from './operations.js'
export * from './profile.js'
