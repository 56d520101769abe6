/** What Google judges text and pictures by. */
const categories = [
  'HARM_CATEGORY_HARASSMENT',
  'HARM_CATEGORY_HATE_SPEECH',
  'HARM_CATEGORY_SEXUALLY_EXPLICIT',
  'HARM_CATEGORY_DANGEROUS_CONTENT',
  'HARM_CATEGORY_CIVIC_INTEGRITY',
];

/** Before there was OFF, the most a model let through was this. */
const beforeOff = /^gemini-(1|2\.0-flash-exp)/;

/** Threshold by category, from the operator's setting of thresholds by category and `default`. */
export function safetyOf(model: string, setting: Readonly<Record<string, string>>): Record<string, string> {
  const { default: defaultValue = 'OFF', ...own } = setting;
  const asked = { ...Object.fromEntries(categories.map((category) => [category, defaultValue])), ...own };
  const known = Object.entries(asked).map(([category, threshold]) => [
    category,
    threshold === 'OFF' && beforeOff.test(model) ? 'BLOCK_NONE' : threshold,
  ]);
  // An empty threshold leaves a category to Google.
  return Object.fromEntries(known.filter(([, threshold]) => threshold !== ''));
}

export function writeSafetySettings(safety: Readonly<Record<string, string>>) {
  return Object.entries(safety).map(([category, threshold]) => ({ category, threshold }));
}
