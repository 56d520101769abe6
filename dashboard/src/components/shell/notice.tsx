import { Button, CounterBadge, makeStyles } from '@fluentui/react-components';
import { Alert20Regular } from '@fluentui/react-icons/svg/alert';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { contentOptions } from '../../api/content.ts';
import { createStoredValue } from '../../state/stored-value.ts';
import { PanelDialog } from '../feedback/panel-dialog.tsx';
import { OperatorContent } from '../operator-content.tsx';
import { SettingLink } from '../setting-link.tsx';

const seenNotice = createStoredValue<string>('notice-seen', (_stored, text) => text);

const useStyles = makeStyles({
  place: { position: 'relative', display: 'inline-flex' },
  dot: { position: 'absolute', top: '4px', right: '4px', pointerEvents: 'none' },
});

/** The operator's notice: shown by itself on the home page until it was read, and from the header at any time. */
export function Notice() {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const { pathname } = useLocation();
  const { data: text = '' } = useQuery(contentOptions('notice'));
  const [isAsked, setAsked] = useState(false);
  const mark = markOf(text);
  const isNew = seenNotice.use() !== mark;
  if (!text.trim()) return null;
  const isOpen = isAsked || (isNew && pathname === '/');

  function close(): void {
    seenNotice.set(mark);
    setAsked(false);
  }

  return (
    <>
      <span className={styles.place}>
        <Button
          appearance="subtle"
          icon={<Alert20Regular />}
          title={t(isNew ? 'notice.unread' : 'notice.title')}
          onClick={() => setAsked(true)}
        />
        {isNew && <CounterBadge dot size="small" color="danger" className={styles.dot} />}
      </span>
      {isOpen && (
        <PanelDialog title={t('notice.title')} onClose={close}>
          <OperatorContent content={text} title={t('notice.title')} />
          <SettingLink section="notice" />
        </PanelDialog>
      )}
    </>
  );
}

/** Another notice has another mark; the notice itself may be long. */
function markOf(text: string): string {
  let sum = 0;
  for (const character of text) sum = (Math.imul(sum, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return `notice ${text.length} ${sum >>> 0}`;
}
