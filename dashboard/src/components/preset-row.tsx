import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';

interface PresetRowProps {
  /** What the choices are for. */
  label: string;
  presets: { key: string; text: string; onSelect: () => void; isDisabled?: boolean }[];
  isDisabled?: boolean;
  /** Below words that are centered. */
  isCentered?: boolean;
}

const useStyles = makeStyles({
  row: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalXS },
  centered: { justifyContent: 'center' },
  preset: { minWidth: 0, fontWeight: tokens.fontWeightRegular },
});

/** Usual values under a field, to take with one click. */
export function PresetRow({ label, presets, isDisabled, isCentered = false }: PresetRowProps) {
  const styles = useStyles();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend
    <div className={mergeClasses(styles.row, isCentered && styles.centered)} role="group" aria-label={label}>
      {presets.map(({ key, text, onSelect, isDisabled: isOff = false }) => (
        <Button
          key={key}
          size="small"
          shape="circular"
          className={styles.preset}
          // The focus stays, though what was pressed has left nothing to do.
          disabledFocusable={isDisabled || isOff}
          onClick={onSelect}
        >
          {text}
        </Button>
      ))}
    </div>
  );
}
