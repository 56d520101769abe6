import { Button, MessageBar, MessageBarActions, MessageBarBody } from '@fluentui/react-components';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';

/** A picture or a player; when its file cannot be loaded, words and a button in its place. */
export function MayBreak({ children }: { children: (onError: () => void) => ReactNode }) {
  const { t } = useTranslation('work');
  const [isBroken, setBroken] = useState(false);
  if (!isBroken) return children(() => setBroken(true));
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>{t('broken')}</MessageBarBody>
      <MessageBarActions>
        <Button size="small" onClick={() => setBroken(false)}>
          {t('tryAgain')}
        </Button>
      </MessageBarActions>
    </MessageBar>
  );
}
