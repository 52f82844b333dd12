/** The version of the package. A constant, since sources and built files find `package.json` in different places. */
export const version = '0.1.0'
