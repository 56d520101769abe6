import { Text, tokens } from '@fluentui/react-components';
import { useTranslation } from 'react-i18next';
import { TextLink } from '../../../components/text-link.tsx';
import { useChartStyles } from './chart-frame.ts';

/** What a color of a chart stands for. */
export interface ChartPart {
  key: string;
  name: string;
  color: string;
  /** Of a line that is drawn dashed. */
  isDashed?: boolean;
  /** Where the thing is looked at. */
  to?: string;
}

interface ChartLegendProps {
  parts: ChartPart[];
  /** How the time that is not over yet is drawn, where there is one. */
  soFar?: 'bar' | 'line' | undefined;
}

/** The names of the colors, each leading to what it names. */
export function ChartLegend({ parts, soFar }: ChartLegendProps) {
  const { t } = useTranslation('detail');
  const styles = useChartStyles();
  return (
    <ul className={styles.legend}>
      {parts.map((part) => (
        <li key={part.key} className={styles.line}>
          <Swatch {...part} />
          <Text size={200}>{part.to ? <TextLink to={part.to}>{part.name}</TextLink> : part.name}</Text>
        </li>
      ))}
      {soFar && (
        <li className={styles.line}>
          {soFar === 'bar' ? (
            <span className={styles.swatch} style={{ background: hatch }} aria-hidden="true" />
          ) : (
            <Swatch color={tokens.colorNeutralForeground3} isDashed />
          )}
          <Text size={200}>{t('soFar.legend')}</Text>
        </li>
      )}
    </ul>
  );
}

const hatch = `repeating-linear-gradient(45deg, ${tokens.colorNeutralForeground3} 0 2px, transparent 2px 5px)`;

export function Swatch({ color, isDashed = false }: Pick<ChartPart, 'color' | 'isDashed'>) {
  const styles = useChartStyles();
  const background = isDashed
    ? `repeating-linear-gradient(90deg, ${color} 0 5px, transparent 5px 7px) center / 100% 3px no-repeat`
    : color;
  return <span className={styles.swatch} style={{ background }} aria-hidden="true" />;
}
