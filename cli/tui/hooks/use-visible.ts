import { createContext, useContext } from 'react';

/** Whether what is drawn here is on the screen: what lies below another screen waits, with its place kept. */
const VisibleContext = createContext(true);

export const VisibleProvider = VisibleContext.Provider;
export const useIsVisible = (): boolean => useContext(VisibleContext);
