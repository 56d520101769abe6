import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { documentNames } from '../../pages/docs/document.ts';
import type { Command } from './command.ts';

/** The pages of the documentation, by title. */
export function useDocumentCommands(): Command[] {
  const { t } = useTranslation('docs');
  const navigate = useNavigate();
  return documentNames.map((name) => ({
    group: 'document',
    key: `document ${name}`,
    name: t(`name.${name}`),
    run: () => void navigate(`/docs/${name}`),
  }));
}
