import { makeStyles, tokens } from '@fluentui/react-components';
import { useLayoutEffect, useRef } from 'react';
import { chartHeight, chartMargins } from './chart-frame.ts';

/** Down to the lowest figure, above the times. */
const axisHeight = chartHeight - chartMargins.bottom + 8;

const useStyles = makeStyles({
  place: { position: 'sticky', left: 0, width: 0, height: 0, zIndex: 1 },
  axis: { position: 'absolute', top: 0, left: 0, backgroundColor: tokens.colorNeutralBackground1 },
});

/** The scale of the chart beside it, which stays in sight while the chart is scrolled: a copy, as the chart draws its own. */
export function StickyAxis() {
  const styles = useStyles();
  const ref = useRef<SVGSVGElement>(null);
  useLayoutEffect(() => {
    const copy = ref.current;
    const chart = copy?.parentElement?.nextElementSibling;
    if (!copy || !chart) return;
    let drawn = '';
    const draw = () => {
      const axis = chart.querySelector('[class*="fui-cart__yAxis"]');
      if (!axis || axis.outerHTML === drawn) return;
      drawn = axis.outerHTML;
      copy.replaceChildren(axis.cloneNode(true));
    };
    draw();
    const observer = new MutationObserver(draw);
    observer.observe(chart, { childList: true, subtree: true, attributeFilter: ['transform'] });
    return () => observer.disconnect();
  }, []);
  return (
    <div className={styles.place}>
      <svg ref={ref} className={styles.axis} width={chartMargins.left} height={axisHeight} aria-hidden="true" />
    </div>
  );
}
