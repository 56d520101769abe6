import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type ComponentProps, isValidElement, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import ReactMarkdown from 'react-markdown';
import rehypeRaw from 'rehype-raw';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { CodeBlock } from './code-block.tsx';
import { TextLink } from './text-link.tsx';

/** No frames, forms, styles or drawings; links lead to the web or to mail (S16). */
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
    // No word is broken to make a table narrower: a wide one scrolls. The last column gives way, down to a readable width.
    '& > :first-child': { marginTop: 0 },
    '& > :last-child': { marginBottom: 0 },
    '& th, & td': {
      border: `1px solid ${tokens.colorNeutralStroke2}`,
      padding: '4px 12px',
      overflowWrap: 'break-word',
      // Chinese breaks at every letter: a cell has room for a word of three.
      minWidth: '3.2em',
    },
    '& td:last-child': { overflowWrap: 'anywhere', minWidth: '140px' },
    '& blockquote': {
      margin: '0',
      paddingLeft: tokens.spacingHorizontalM,
      borderLeft: `3px solid ${tokens.colorNeutralStroke1}`,
    },
  },
  program: { margin: `${tokens.spacingVerticalM} 0` },
  /** Part of a conversation, not a page of its own. */
  foreign: {
    '& h1, & h2, & h3': {
      fontSize: tokens.fontSizeBase500,
      lineHeight: tokens.lineHeightBase500,
      margin: '12px 0 8px',
    },
  },
});

interface MarkdownProps {
  text: string;
  /** Written by a model: HTML stays text, and a picture becomes a link, for loading it could leak the conversation. */
  isForeign?: boolean;
  /** Of our own documentation: headings can be linked to, and links between documents stay in this window. */
  document?: DocumentLinks;
}

interface DocumentLinks {
  /** Undefined for an address that is not a document. */
  placeOf(href: string): string | undefined;
  /** Undefined for an address that is not a file to take along. */
  sampleOf(href: string): { url: string; name: string } | undefined;
  anchorOf(heading: string): string;
}

/** Markdown with the HTML in it, cleaned. */
export function Markdown({ text, isForeign = false, document }: MarkdownProps) {
  const styles = useStyles();
  return (
    <div className={mergeClasses(styles.text, isForeign && styles.foreign)}>
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={isForeign ? [[rehypeSanitize, allowed]] : [rehypeRaw, [rehypeSanitize, allowed]]}
        components={{
          a: ({ href = '', children }) => {
            const place = document?.placeOf(href);
            if (place !== undefined) return <TextLink to={place}>{children}</TextLink>;
            const sample = document?.sampleOf(href);
            if (sample) return <SampleLink sample={sample}>{children}</SampleLink>;
            return (
              <a href={href} target="_blank" rel="noopener noreferrer">
                {children}
              </a>
            );
          },
          img: isForeign ? LinkedPicture : Picture,
          pre: WideCode,
          ...(document && {
            pre: CopiedCode,
            h2: ({ children }) => <h2 id={document.anchorOf(wordsOf(children))}>{children}</h2>,
            h3: ({ children }) => <h3 id={document.anchorOf(wordsOf(children))}>{children}</h3>,
            table: WideTable,
          }),
        }}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
}

function SampleLink({
  sample: { url, name },
  children,
}: {
  sample: { url: string; name: string };
  children: ReactNode;
}) {
  return (
    <a href={url} download={name}>
      {children}
    </a>
  );
}

/** Wider than a phone, it is scrolled by keyboard too. */
function WideCode({ children }: ComponentProps<'pre'>) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only what has the focus
  return <pre tabIndex={0}>{children}</pre>;
}

/** A program of our own documentation, to take along. */
function CopiedCode({ children }: ComponentProps<'pre'>) {
  const { t } = useTranslation('shell');
  return (
    <div className={useStyles().program}>
      <CodeBlock code={wordsOf(children).trimEnd()} label={t('example.copy')} />
    </div>
  );
}

function WideTable({ children }: ComponentProps<'table'>) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls only what has the focus
  return <table tabIndex={0}>{children}</table>;
}

/** The words of a heading, whatever marks are in it. */
function wordsOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return node.map(wordsOf).join('');
  return isValidElement<{ children?: ReactNode }>(node) ? wordsOf(node.props.children) : '';
}

/** Without words of its own it is decoration. */
function Picture({ src, alt = '', title, width, height }: ComponentProps<'img'>) {
  return <img src={src} alt={alt} title={title} width={width} height={height} />;
}

function LinkedPicture({ src, alt }: ComponentProps<'img'>) {
  return (
    <a href={src} target="_blank" rel="noopener noreferrer">
      {alt || src}
    </a>
  );
}
