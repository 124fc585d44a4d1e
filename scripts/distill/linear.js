// Small linear algebra in plain arithmetic and fixed order, so that the same input gives the same bytes.

/** @returns {Float64Array} mean of the first n rows of X, row-major with D numbers a row */
export function meanRow(X, n, D) {
	const mean = new Float64Array(D);
	for (let i = 0; i < n; i++) for (let j = 0; j < D; j++) mean[j] += X[i * D + j];
	for (let j = 0; j < D; j++) mean[j] /= n;
	return mean;
}

/** @returns {Float64Array} D × D scatter matrix of the first n rows around the mean */
export function scatter(X, n, D, mean) {
	const C = new Float64Array(D * D);
	const x = new Float64Array(D);
	for (let i = 0; i < n; i++) {
		for (let j = 0; j < D; j++) x[j] = X[i * D + j] - mean[j];
		for (let a = 0; a < D; a++) {
			const xa = x[a];
			for (let b = a; b < D; b++) C[a * D + b] += xa * x[b];
		}
	}
	for (let a = 0; a < D; a++) for (let b = 0; b < a; b++) C[a * D + b] = C[b * D + a];
	return C;
}

/** @returns {Float32Array} n rows of k numbers: the rows of X less their mean, along the first k axes */
export function project(X, n, D, mean, axes, k) {
	const Y = new Float32Array(n * k);
	const x = new Float64Array(D);
	for (let i = 0; i < n; i++) {
		for (let j = 0; j < D; j++) x[j] = X[i * D + j] - mean[j];
		for (let r = 0; r < k; r++) {
			let sum = 0;
			for (let j = 0; j < D; j++) sum += axes[r * D + j] * x[j];
			Y[i * k + r] = sum;
		}
	}
	return Y;
}

/** @returns {Float64Array} eigenvectors of the symmetric n × n matrix A as rows, the largest eigenvalue first */
export function principalAxes(A, n) {
	const V = new Float64Array(A);
	const d = new Float64Array(n);
	const e = new Float64Array(n);
	tridiagonalize(V, d, e, n);
	diagonalize(V, d, e, n);
	const order = Array.from({length: n}, (_, i) => i).sort((a, b) => d[b] - d[a] || a - b);
	const axes = new Float64Array(n * n);
	order.forEach((column, row) => {
		// The sign of an eigenvector is free: make its largest number positive, so that it cannot flip.
		let top = 0;
		for (let k = 1; k < n; k++) if (Math.abs(V[k * n + column]) > Math.abs(V[top * n + column])) top = k;
		const sign = V[top * n + column] < 0 ? -1 : 1;
		for (let k = 0; k < n; k++) axes[row * n + k] = sign * V[k * n + column];
	});
	return axes;
}

/** Householder reduction to tridiagonal form (EISPACK tred2, public domain, in JAMA's arrangement). */
function tridiagonalize(V, d, e, n) {
	for (let j = 0; j < n; j++) d[j] = V[(n - 1) * n + j];
	for (let i = n - 1; i > 0; i--) {
		let scale = 0;
		let h = 0;
		for (let k = 0; k < i; k++) scale += Math.abs(d[k]);
		if (scale === 0) {
			e[i] = d[i - 1];
			for (let j = 0; j < i; j++) {
				d[j] = V[(i - 1) * n + j];
				V[i * n + j] = 0;
				V[j * n + i] = 0;
			}
		} else {
			for (let k = 0; k < i; k++) {
				d[k] /= scale;
				h += d[k] * d[k];
			}
			h = reflect(V, d, e, n, i, scale, h);
		}
		d[i] = h;
	}
	accumulate(V, d, n);
	e[0] = 0;
}

function reflect(V, d, e, n, i, scale, squares) {
	let f = d[i - 1];
	let g = Math.sqrt(squares);
	if (f > 0) g = -g;
	e[i] = scale * g;
	const h = squares - f * g;
	d[i - 1] = f - g;
	for (let j = 0; j < i; j++) e[j] = 0;
	for (let j = 0; j < i; j++) {
		f = d[j];
		V[j * n + i] = f;
		g = e[j] + V[j * n + j] * f;
		for (let k = j + 1; k <= i - 1; k++) {
			g += V[k * n + j] * d[k];
			e[k] += V[k * n + j] * f;
		}
		e[j] = g;
	}
	f = 0;
	for (let j = 0; j < i; j++) {
		e[j] /= h;
		f += e[j] * d[j];
	}
	const half = f / (h + h);
	for (let j = 0; j < i; j++) e[j] -= half * d[j];
	for (let j = 0; j < i; j++) {
		f = d[j];
		g = e[j];
		for (let k = j; k <= i - 1; k++) V[k * n + j] -= f * e[k] + g * d[k];
		d[j] = V[(i - 1) * n + j];
		V[i * n + j] = 0;
	}
	return h;
}

function accumulate(V, d, n) {
	for (let i = 0; i < n - 1; i++) {
		V[(n - 1) * n + i] = V[i * n + i];
		V[i * n + i] = 1;
		const h = d[i + 1];
		if (h !== 0) {
			for (let k = 0; k <= i; k++) d[k] = V[k * n + i + 1] / h;
			for (let j = 0; j <= i; j++) {
				let g = 0;
				for (let k = 0; k <= i; k++) g += V[k * n + i + 1] * V[k * n + j];
				for (let k = 0; k <= i; k++) V[k * n + j] -= g * d[k];
			}
		}
		for (let k = 0; k <= i; k++) V[k * n + i + 1] = 0;
	}
	for (let j = 0; j < n; j++) {
		d[j] = V[(n - 1) * n + j];
		V[(n - 1) * n + j] = 0;
	}
	V[n * n - 1] = 1;
}

/** Implicit QL on the tridiagonal form (EISPACK tql2). */
function diagonalize(V, d, e, n) {
	for (let i = 1; i < n; i++) e[i - 1] = e[i];
	e[n - 1] = 0;
	let shift = 0;
	let size = 0;
	for (let l = 0; l < n; l++) {
		size = Math.max(size, Math.abs(d[l]) + Math.abs(e[l]));
		let m = l;
		while (m < n - 1 && Math.abs(e[m]) > Number.EPSILON * size) m++;
		if (m > l) {
			do shift += sweep(V, d, e, n, l, m);
			while (Math.abs(e[l]) > Number.EPSILON * size);
		}
		d[l] += shift;
		e[l] = 0;
	}
}

/** One QL step on rows l..m. @returns {number} the shift that it took off the diagonal */
function sweep(V, d, e, n, l, m) {
	let g = d[l];
	let p = (d[l + 1] - g) / (2 * e[l]);
	let r = Math.sqrt(p * p + 1);
	if (p < 0) r = -r;
	d[l] = e[l] / (p + r);
	d[l + 1] = e[l] * (p + r);
	const next = d[l + 1];
	const taken = g - d[l];
	for (let i = l + 2; i < n; i++) d[i] -= taken;
	p = d[m];
	let [c, c2, c3, s, s2] = [1, 1, 1, 0, 0];
	const el1 = e[l + 1];
	for (let i = m - 1; i >= l; i--) {
		c3 = c2;
		c2 = c;
		s2 = s;
		g = c * e[i];
		const h = c * p;
		r = Math.sqrt(p * p + e[i] * e[i]);
		e[i + 1] = s * r;
		s = e[i] / r;
		c = p / r;
		p = c * d[i] - s * g;
		d[i + 1] = h + s * (c * g + s * d[i]);
		for (let k = 0; k < n; k++) {
			const o = k * n + i;
			const v = V[o + 1];
			V[o + 1] = s * V[o] + c * v;
			V[o] = c * V[o] - s * v;
		}
	}
	p = (-s * s2 * c3 * el1 * e[l]) / next;
	e[l] = s * p;
	d[l] = c * p;
	return taken;
}
