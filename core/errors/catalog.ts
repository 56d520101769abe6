/** One entry per error: HTTP status, the relay's wire code where it has one of its own, and the text in both languages. */
interface CatalogEntry {
	status: number;
	wire?: string;
	en: string;
	zh: string;
	hint?: { en: string; zh: string };
}

export const catalog = {
	"internal.error": {
		status: 500,
		wire: "internal_error",
		en: "Internal error. The server log has the details under this request id.",
		zh: "服务器内部错误，请凭请求编号联系管理员。",
	},
	"input.invalid": {
		status: 400,
		wire: "invalid_request",
		en: "Invalid input: {reason}",
		zh: "输入无效：{reason}",
	},
	"object.notFound": {
		status: 404,
		en: "{what} {id} not found",
		zh: "未找到{what} {id}",
		hint: {
			en: "see the list with: tollgate {noun} list",
			zh: "查看列表：tollgate {noun} list",
		},
	},
	"object.nameTaken": {
		status: 409,
		en: 'a {what} named "{name}" already exists',
		zh: "{what}“{name}”已存在",
	},
	"permission.denied": {
		status: 403,
		en: "you are not allowed to do this",
		zh: "无权进行此操作",
	},
	"route.notFound": {
		status: 404,
		wire: "not_found",
		en: "There is no {method} {path}.",
		zh: "接口不存在：{method} {path}",
	},
	"route.notOffered": {
		status: 501,
		wire: "api_not_implemented",
		en: "API not implemented",
		zh: "该接口未实现",
	},
	"config.invalid": {
		status: 500,
		en: '{name} is "{value}", allowed: {allowed}',
		zh: "{name} 的值“{value}”无效，允许：{allowed}",
	},
	"config.workersNeedPostgres": {
		status: 500,
		en: "several workers need PostgreSQL: SQLite has one writer",
		zh: "多个工作进程需要 PostgreSQL：SQLite 只允许一个写入者",
		hint: {
			en: "set SQL_DSN=postgres://..., or leave --workers out",
			zh: "请设置 SQL_DSN=postgres://...，或去掉 --workers",
		},
	},
	"config.databaseKind": {
		status: 500,
		en: "SQL_DSN must begin with postgres://; MySQL is not supported",
		zh: "SQL_DSN 必须以 postgres:// 开头；不支持 MySQL",
		hint: {
			en: "leave SQL_DSN out to use SQLite",
			zh: "不设置 SQL_DSN 即使用 SQLite",
		},
	},
	"database.unreachable": {
		status: 503,
		wire: "database_unavailable",
		en: "The database cannot be reached: {reason}",
		zh: "无法连接数据库：{reason}",
	},
	"database.tooNew": {
		status: 500,
		en: "the database was written by a newer version ({version}); install that version or a later one",
		zh: "数据库由更新的版本（{version}）写入，请安装该版本或更高版本",
	},
	"database.damaged": {
		status: 500,
		en: "the database file {file} is damaged: {reason}",
		zh: "数据库文件 {file} 已损坏：{reason}",
		hint: {
			en: "restore a copy with: tollgate db restore <file>, or move the file away",
			zh: "用 tollgate db restore <文件> 恢复备份，或移走该文件",
		},
	},
} as const satisfies Record<string, CatalogEntry>;

export type ErrorCode = keyof typeof catalog;
