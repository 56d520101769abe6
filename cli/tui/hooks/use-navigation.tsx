import { createContext, type ReactNode, useContext } from 'react';
import type { Hint } from '../hint.ts';

/** The ways between screens. */
export interface Navigation {
  /** Lays something over the screen: details, a form. What lies below keeps its place. */
  push(pane: ReactNode): void;
  /** Back to what lies below. */
  pop(): void;
  showKeys(hints: Hint[]): void;
  /** Asks first while long work runs. */
  quit(): void;
}

const NavigationContext = createContext<Navigation | undefined>(undefined);
export const NavigationProvider = NavigationContext.Provider;

export function useNavigation(): Navigation {
  const navigation = useContext(NavigationContext);
  if (!navigation) throw new Error('a screen stands outside of the application');
  return navigation;
}
