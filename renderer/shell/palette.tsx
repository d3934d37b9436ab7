import '@mantine/spotlight/styles.css';
export function showPalette(): void {}
