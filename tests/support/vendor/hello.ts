/** What every fixture's upstream says when it is asked for words. */
export const helloText = 'Hello from upstream.';
