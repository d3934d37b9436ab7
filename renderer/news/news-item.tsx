import type { ReactNode } from 'react';
import classes from './news-item.module.css';

/** Shows one piece of news, as wide as is good to read. */
export const NewsItem = ({ children }: { children: ReactNode }) => <div className={classes.banner}>{children}</div>;
