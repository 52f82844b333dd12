/** Of the package. A constant, since built and unbuilt files find `package.json` in different places. */
export const version = '0.1.0'
