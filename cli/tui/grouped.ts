/** `$1,624.69` and `12,345`: on a screen, figures are read and not parsed. */
export const grouped = (figure: string | number): string =>
  String(figure).replace(/\B(?<!\.\d*)(?=(\d{3})+(?!\d))/g, ',');
