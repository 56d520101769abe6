import { Button, makeStyles, Textarea, tokens } from '@fluentui/react-components';
import { ArrowDownload20Regular } from '@fluentui/react-icons/svg/arrow-download';
import { Copy20Regular } from '@fluentui/react-icons/svg/copy';
import { useTranslation } from 'react-i18next';
import { useCopy } from '../../components/feedback/copy.tsx';
import { PanelDialog } from '../../components/feedback/panel-dialog.tsx';
import { saveText } from '../../components/feedback/save-text.ts';

/** What was made in one go. */
export interface Batch {
  name: string;
  codes: string[];
}

const useStyles = makeStyles({
  codes: { width: '100%', fontFamily: tokens.fontFamilyMonospace },
});

/** New codes, to copy all or to keep as a file. */
export function CodeListDialog({ batch: { name, codes }, onClose }: { batch: Batch; onClose: () => void }) {
  const { t } = useTranslation('redemption');
  const styles = useStyles();
  const copy = useCopy();
  const text = codes.join('\n');
  return (
    <PanelDialog
      title={t('batch.title', { count: codes.length, name })}
      isKept
      actions={
        <>
          <Button icon={<ArrowDownload20Regular />} onClick={() => saveText(`${name}.txt`, `${text}\n`)}>
            {t('batch.download')}
          </Button>
          <Button icon={<Copy20Regular />} onClick={() => void copy(text)}>
            {t('batch.copy')}
          </Button>
          <Button appearance="primary" onClick={onClose}>
            {t('shell:action.close')}
          </Button>
        </>
      }
      onClose={onClose}
    >
      {t('batch.text')}
      <Textarea
        className={styles.codes}
        textarea={{ style: { fontFamily: 'inherit' } }}
        aria-label={t('batch.codes')}
        value={text}
        rows={Math.min(Math.max(codes.length, 2), 10)}
        readOnly
        resize="vertical"
        onFocus={(event) => event.currentTarget.select()}
      />
    </PanelDialog>
  );
}
