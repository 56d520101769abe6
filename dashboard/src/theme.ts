import { type BrandVariants, createDarkTheme, createLightTheme, type Theme } from '@fluentui/react-components';

/** Our teal, from nearly black to nearly white; shade 80 carries white text. */
const brand: BrandVariants = {
  10: '#061f23',
  20: '#092e34',
  30: '#0b3a41',
  40: '#0e454e',
  50: '#10515b',
  60: '#125d68',
  70: '#156875',
  80: '#177482',
  90: '#1c8b9c',
  100: '#20a2b6',
  110: '#25bdd4',
  120: '#45cade',
  130: '#6cd5e5',
  140: '#93e0ec',
  150: '#baebf3',
  160: '#dcf5f9',
};

const fontFamilyBase = [
  '"Segoe UI Variable Text"',
  '"Segoe UI"',
  '-apple-system',
  'BlinkMacSystemFont',
  '"Helvetica Neue"',
  'Arial',
  '"PingFang SC"',
  '"Microsoft YaHei UI"',
  '"Noto Sans CJK SC"',
  'sans-serif',
].join(', ');

export const lightTheme: Theme = { ...createLightTheme(brand), fontFamilyBase };

export const darkTheme: Theme = {
  ...createDarkTheme(brand),
  fontFamilyBase,
  // Fluent's own choice for brand text is too dim on its dark surfaces.
  colorBrandForeground1: brand[110],
  colorBrandForeground2: brand[120],
  colorBrandForegroundLink: brand[110],
  colorBrandForegroundLinkHover: brand[120],
  colorBrandForegroundLinkPressed: brand[100],
  colorBrandForegroundLinkSelected: brand[110],
  colorCompoundBrandForeground1: brand[110],
  colorCompoundBrandForeground1Hover: brand[120],
  colorCompoundBrandForeground1Pressed: brand[100],
  colorNeutralForeground2BrandHover: brand[110],
  colorNeutralForeground2BrandPressed: brand[100],
  colorNeutralForeground2BrandSelected: brand[110],
  colorNeutralForeground3BrandHover: brand[110],
  colorNeutralForeground3BrandPressed: brand[100],
  colorNeutralForeground3BrandSelected: brand[110],
};
