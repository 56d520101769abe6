import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';

interface WorkTileProps {
  label: string;
  onClick: () => void;
  /** A picture that fills it, or an icon. */
  children: ReactNode;
}

const useStyles = makeStyles({
  tile: {
    display: 'grid',
    placeItems: 'center',
    flexShrink: 0,
    width: '40px',
    height: '40px',
    margin: '2px 0',
    padding: 0,
    overflow: 'hidden',
    cursor: 'pointer',
    color: tokens.colorNeutralForeground2,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '1px' },
  },
});

/** Opens all there is about a job, and shows what it made. */
export function WorkTile({ label, onClick, children }: WorkTileProps) {
  const styles = useStyles();
  return (
    <button type="button" className={styles.tile} aria-label={label} title={label} onClick={onClick}>
      {children}
    </button>
  );
}
