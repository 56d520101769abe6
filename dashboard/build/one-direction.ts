/** In place of `rtl-css-js/core`: every style stays as it is. */
export const convertProperty = (key: string, value: unknown): { key: string; value: unknown } => ({ key, value });

export const convert = <Style>(style: Style): Style => style;
