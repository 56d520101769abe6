import { createContext, useContext } from 'react';
import type { App } from '../../core/app.ts';
import type { Language } from '../../core/errors/app-error.ts';
import type { Color } from '../print/table.ts';
import type { Speak } from '../text.ts';
import type { Symbols } from './symbol.ts';

/** What every screen may use. */
export interface Environment {
  app: App;
  speak: Speak;
  language: Language;
  symbols: Symbols;
  color: boolean;
  /** Where the data lies, as the header names it. */
  place: string;
  /** Redraws the screen, whatever is there. */
  redraw(): void;
}

const EnvironmentContext = createContext<Environment | undefined>(undefined);
export const EnvironmentProvider = EnvironmentContext.Provider;

export function useEnvironment(): Environment {
  const environment = useContext(EnvironmentContext);
  if (!environment) throw new Error('a screen stands outside of its environment');
  return environment;
}

export type Tone = Color | 'bold' | 'inverse';

const toneCodes: Record<Tone, number> = { green: 32, yellow: 33, red: 31, dim: 2, bold: 1, inverse: 7 };

/** Text in a tone; plain where colors are off. Whatever a tone says, a sign or a word says too. */
export function useTone(): (text: string, tone: Tone | undefined) => string {
  const { color } = useEnvironment();
  return (text, tone) => {
    if (!tone || text === '' || !color) return text;
    return `\u001b[${toneCodes[tone]}m${text}\u001b[0m`;
  };
}
