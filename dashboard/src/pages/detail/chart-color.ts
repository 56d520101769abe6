/** Three to one against white and against the dark surface, and apart from each other. */
const palette = ['#1c8b9c', '#d1602a', '#8b6cf0', '#4f8f2f', '#d64a8a', '#3d82d6', '#a67c00', '#b05f8f'];
const otherColor = '#7d858d';

/** The model's colour in every chart of the page. */
export function modelColor(models: { name: string }[], name: string): string {
  const index = models.findIndex((model) => model.name === name);
  return name === '' ? otherColor : (palette[index % palette.length] ?? otherColor);
}

export const callColor = palette[0] ?? otherColor;
export const tokenColor = palette[1] ?? otherColor;
