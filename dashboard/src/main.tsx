import i18next from 'i18next';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/query-client.ts';
import { App } from './app.tsx';
import { startLanguage } from './i18n/language.ts';

await startLanguage();
// The server writes some of what is shown: the sentences of the audit log, reasons of failures.
i18next.on('languageChanged', () => void queryClient.invalidateQueries());
const root = document.getElementById('root');
if (!root) throw new Error('the page has no root element');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
