import { Link, makeStyles, tokens } from '@fluentui/react-components';
import { ImageOff20Regular } from '@fluentui/react-icons/svg/image-off';
import { Open20Regular } from '@fluentui/react-icons/svg/open';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Drawing } from '../../../../core/schemas/drawing.ts';
import { MayBreak } from '../../components/work/broken-file.tsx';
import { WorkTile } from '../../components/work/work-tile.tsx';
import { drawingName } from './drawing-text.ts';
import { pictureAddress } from './picture-address.ts';

const useStyles = makeStyles({
  small: { width: '100%', height: '100%', objectFit: 'cover' },
  large: { maxWidth: '100%', maxHeight: '60vh', objectFit: 'contain', borderRadius: tokens.borderRadiusMedium },
  whole: { display: 'flex', flexDirection: 'column', alignItems: 'flex-start', gap: tokens.spacingVerticalS },
});

interface ThumbnailProps {
  drawing: Drawing;
  onShow: (drawing: Drawing) => void;
}

/** Small, and the way to all there is about the drawing, also while it has no picture. */
export function Thumbnail({ drawing, onShow }: ThumbnailProps) {
  const { t } = useTranslation(['midjourney', 'work']);
  const styles = useStyles();
  const address = pictureAddress(drawing);
  const [broken, setBroken] = useState<string>();
  const name = drawingName(drawing);
  const label = address ? t('show', { name }) : t('shell:list.details', { name });
  return (
    <WorkTile label={label} onClick={() => onShow(drawing)}>
      {!address && <Open20Regular />}
      {address && address === broken && <ImageOff20Regular />}
      {address && address !== broken && (
        <img
          className={styles.small}
          src={address}
          alt=""
          loading="lazy"
          referrerPolicy="no-referrer"
          onError={() => setBroken(address)}
        />
      )}
    </WorkTile>
  );
}

export function LargePicture({ drawing }: { drawing: Drawing }) {
  const { t } = useTranslation(['midjourney', 'work']);
  const styles = useStyles();
  const address = pictureAddress(drawing);
  if (!address) return null;
  return (
    <MayBreak key={address}>
      {(onError) => (
        <div className={styles.whole}>
          <img
            className={styles.large}
            src={address}
            alt={drawing.prompt || t('picture')}
            referrerPolicy="no-referrer"
            onError={onError}
          />
          <Link href={address} target="_blank" rel="noopener noreferrer">
            {t('work:openPicture')}
          </Link>
        </div>
      )}
    </MayBreak>
  );
}
