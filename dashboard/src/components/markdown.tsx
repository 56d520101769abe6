import { makeStyles, tokens } from '@fluentui/react-components';
import ReactMarkdown from 'react-markdown';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';

/** No frames, forms, styles or drawings; links lead to the web or to mail (reliability S16). */
const allowed = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter(
    (name) => name !== 'input' && name !== 'picture' && name !== 'source',
  ),
  protocols: { ...defaultSchema.protocols, href: ['http', 'https', 'mailto'], src: ['https'] },
};

const useStyles = makeStyles({
  text: {
    lineHeight: tokens.lineHeightBase300,
    overflowWrap: 'anywhere',
    '& a': { color: tokens.colorBrandForegroundLink },
    '& img': { maxWidth: '100%' },
    '& pre': {
      overflowX: 'auto',
      padding: tokens.spacingHorizontalM,
      borderRadius: tokens.borderRadiusMedium,
      backgroundColor: tokens.colorNeutralBackground3,
    },
    '& code': { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase200 },
    '& table': { borderCollapse: 'collapse', display: 'block', overflowX: 'auto' },
    '& th, & td': { border: `1px solid ${tokens.colorNeutralStroke2}`, padding: '4px 12px' },
    '& blockquote': {
      margin: '0',
      paddingLeft: tokens.spacingHorizontalM,
      borderLeft: `3px solid ${tokens.colorNeutralStroke1}`,
    },
  },
});

/** Markdown with the HTML in it, cleaned. */
export function Markdown({ text }: { text: string }) {
  const styles = useStyles();
  return (
    <div className={styles.text}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[rehypeRaw, [rehypeSanitize, allowed]]}
        components={{
          a: ({ href, children }) => (
            <a href={href} target="_blank" rel="noopener noreferrer">
              {children}
            </a>
          ),
        }}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}
