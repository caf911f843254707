export { PAGE_PATHS } from './browser/page-paths.ts';
export { type Dashboard, loadDashboard, type PageReply } from './serve/load-dashboard.ts';
