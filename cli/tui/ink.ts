type Ink = typeof import('ink');

let ink: Ink | undefined;

/**
 * Ink waits for something while it is loaded, which only an `import()` can do. The built program is one script without such waiting, so
 * the screens' imports of Ink take it from here (`bin/build.ts`).
 */
export async function loadInk(): Promise<void> {
  ink = await import('ink');
}

export const loadedInk = (): Ink | undefined => ink;
