import {
  Button,
  Dialog,
  DialogActions,
  DialogBody,
  DialogContent,
  DialogSurface,
  DialogTitle,
  DialogTrigger,
  Link,
  makeStyles,
  Text,
  tokens,
} from '@fluentui/react-components';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Drawing } from '../../../../core/schemas/drawing.ts';
import { pictureAddress } from './picture-address.ts';

const useStyles = makeStyles({
  content: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM },
  picture: { maxWidth: '100%', maxHeight: '60vh', objectFit: 'contain', borderRadius: tokens.borderRadiusMedium },
});

interface DrawingDialogProps {
  drawing: Drawing;
  onClose: () => void;
}

/** The picture, large, with what was asked for. */
export function DrawingDialog({ drawing, onClose }: DrawingDialogProps) {
  const { t } = useTranslation('midjourney');
  const styles = useStyles();
  const [isBroken, setBroken] = useState(false);
  const address = pictureAddress(drawing);
  return (
    <Dialog open onOpenChange={(_event, { open }) => open || onClose()}>
      <DialogSurface>
        <DialogBody>
          <DialogTitle>{t('picture')}</DialogTitle>
          <DialogContent className={styles.content}>
            {isBroken ? (
              <Text role="alert">{t('broken')}</Text>
            ) : (
              <img
                className={styles.picture}
                src={address}
                alt={drawing.prompt || t('picture')}
                referrerPolicy="no-referrer"
                onError={() => setBroken(true)}
              />
            )}
            {drawing.prompt && <Text>{drawing.prompt}</Text>}
            <Link href={address} target="_blank" rel="noopener noreferrer">
              {t('open')}
            </Link>
          </DialogContent>
          <DialogActions>
            <DialogTrigger disableButtonEnhancement>
              <Button appearance="primary">{t('shell:action.close')}</Button>
            </DialogTrigger>
          </DialogActions>
        </DialogBody>
      </DialogSurface>
    </Dialog>
  );
}
