import type { Theme } from '@fluentui/react-components';
import { useLayoutEffect } from 'react';
import { darkTheme, lightTheme } from '../theme.ts';
import { usePrefersDark } from './media.ts';
import { themeMode } from './preference.ts';

/** The theme to show; the page around Fluent's root follows it. */
export function useThemeChoice(): Theme {
  const mode = themeMode.use();
  const prefersDark = usePrefersDark();
  const isDark = mode === 'dark' || (mode === 'system' && prefersDark);
  useLayoutEffect(() => {
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  }, [isDark]);
  return isDark ? darkTheme : lightTheme;
}
