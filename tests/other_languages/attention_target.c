/* Attention and its gradients in C, as a target that attnspec checks: an example to copy.
 *     cc -O2 -o attention_target attention_target.c -lm && attnspec check "cmd:./attention_target" */
#define _POSIX_C_SOURCE 200809L /* getline */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* JSON: the value of a member of an object, or the end of a text in a list; else the closing bracket. */
static char *find(char *in, const char *name) {
    char *p = in;
    for (int depth = 0; *p && (depth += (*p == '{' || *p == '[') - (*p == '}' || *p == ']')) > 0; p++) {
        if (*p != '"') continue;
        const char *text = ++p;
        for (; *p && *p != '"'; p++) p += *p == '\\' && p[1];
        if (depth > 1 || (size_t)(p - text) != strlen(name) || strncmp(text, name, strlen(name))) continue;
        if (*in == '[' || p[1] == ':') return *in == '[' ? p : p + 2 + strspn(p + 2, " ");
    }
    return p;
}
static bool is(const char *p, const char *text) { return !strncmp(p, text, strlen(text)); }

/* The message in hand, and the tensors that it brings and takes away. */
typedef struct { const char *section, *name; long rank, size, shape[6]; double *data; } Tensor;
typedef union { unsigned long long bits; double number; } Word;
static char *message;
static Tensor tensors[16], *last = tensors;
#define REFUSE_IF(condition, code, details, ...) \
    if (condition) { printf(",\"rejected\":\"%s\",\"details\":{" details "}", code, __VA_ARGS__); return; }
static Tensor *zeros(const char *section, const char *name, Tensor like) {
    Tensor *t = last++;
    *t = like, t->section = section, t->name = name, t->size = 1;
    for (long axis = 0; axis < t->rank; axis++) t->size *= t->shape[axis];
    if (!(t->data = calloc((size_t)t->size + 1, sizeof *t->data))) exit(3);
    return t;
}
static Tensor *given(const char *section, const char *name) {
    char *form = find(find(message, section), name), *p = find(form, "bits");
    Tensor like = {0};
    long *s = like.shape;
    like.rank = sscanf(find(form, "shape"), "[%ld,%ld,%ld,%ld,%ld,%ld", s, s + 1, s + 2, s + 3, s + 4, s + 5);
    Tensor *t = zeros(section, name, like);
    for (long i = 0; i < t->size; i++)
        t->data[i] = (Word){strtoull(p + strcspn(p, "0123456789abcdef"), &p, 16)}.number;
    return t;
}
static const double *upstream(const char *name) { /* NULL where there is none, or others too */
    char *all = find(message, "upstream"), *form = find(all, name), *first = all + strcspn(all, ":}");
    const bool alone = *form == '{' && first + 1 + strspn(first + 1, " ") == form && find(form, "")[1] == '}';
    if (*first == ':' && !alone) printf(",\"no_gradients\":\"needs the upstream of %s alone\"", name);
    return alone ? given("upstream", name)->data : NULL;
}
static void give(const char *section) { /* what is wanted of it */
    printf(",\"%s\":{", section);
    for (Tensor *t = tensors, *sent = NULL; t < last; t++) {
        if (strcmp(t->section, section) || *find(find(find(message, "wants"), section), t->name) != '"') continue;
        printf("%s\"%s\":{\"dtype\":\"float64\",\"shape\":[", sent ? "," : "", t->name);
        for (long axis = 0; axis < t->rank; axis++) printf("%s%ld", axis ? "," : "", t->shape[axis]);
        printf("],\"bits\":[");
        for (long i = 0, width = t->rank > 0 ? t->shape[t->rank - 1] : 1; i < t->size; i++)
            printf("%s%016llx", i % width ? " " : i ? "\",\"" : "\"", (Word){.number = t->data[i]}.bits);
        printf((sent = t)->size ? "\"]}" : "]}");
    }
    printf("}");
}

/* Kernels: row-major arrays; what is added up starts from zeros. */
static double dot(long n, const double *x, const double *y) {
    double sum = 0.0;
    for (long k = 0; k < n; k++) sum += x[k] * y[k];
    return sum;
}
static void add_scaled(long n, double factor, const double *x, double *y) {
    for (long k = 0; k < n; k++) y[k] += factor * x[k];
}
static void softmax(long n, const double *s, double *p) {
    double largest = s[0], sum = 0.0;
    for (long j = 1; j < n; j++) largest = fmax(largest, s[j]);
    for (long j = 0; j < n; j++) sum += p[j] = exp(s[j] - largest);
    for (long j = 0; j < n; j++) p[j] /= sum;
}
static void attention(bool causal) {
    const Tensor *q = given("inputs", "query"), *k = given("inputs", "key"), *v = given("inputs", "value");
    const long T = q->shape[1], d = q->shape[2], e = v->shape[2];
    for (int a = 0; a < 2; a++)
        REFUSE_IF(q->shape[a] != k->shape[a] || q->shape[a] != v->shape[a], a ? "token_mismatch" : "batch_mismatch",
                  "\"query\":%ld,\"key\":%ld,\"value\":%ld", q->shape[a], k->shape[a], v->shape[a])
    REFUSE_IF(d != k->shape[2], "width_mismatch", "\"query\":%ld,\"key\":%ld", d, k->shape[2])
    const double scale = 1.0 / sqrt((double)d), *d_o = upstream("output");
    double *o = zeros("outputs", "output", *v)->data, *d_q = zeros("gradients", "query", *q)->data;
    double *d_k = zeros("gradients", "key", *k)->data, *d_v = zeros("gradients", "value", *v)->data;
    for (long i = 0; i < q->shape[0] * T; i++) { /* row i of the whole batch sees n keys, from `first` on */
        const long first = i - i % T, n = causal ? i % T + 1 : T;
        const double *query = q->data + i * d, *key = k->data + first * d, *value = v->data + first * e;
        double s[n], p[n], d_p[n];
        for (long j = 0; j < n; j++) s[j] = scale * dot(d, query, key + j * d);
        softmax(n, s, p);
        for (long j = 0; j < n; j++) add_scaled(e, p[j], value + j * e, o + i * e);
        if (!d_o) continue;
        for (long j = 0; j < n; j++) d_p[j] = dot(e, d_o + i * e, value + j * e);
        const double shared = dot(n, p, d_p);
        for (long j = 0; j < n; j++) {
            const double d_raw = scale * p[j] * (d_p[j] - shared);
            add_scaled(e, p[j], d_o + i * e, d_v + (first + j) * e);
            add_scaled(d, d_raw, key + j * d, d_q + i * d);
            add_scaled(d, d_raw, query, d_k + (first + j) * d);
        }
    }
    give("outputs");
    if (d_o) give("gradients");
}
static void causal_softmax(void) {
    const Tensor *x = given("inputs", "scores"), *p = zeros("outputs", "probabilities", *x);
    const long T = x->rank > 1 ? x->shape[x->rank - 1] : 0;
    REFUSE_IF(T == 0 || x->shape[x->rank - 2] != T, "not_square", "\"keys\":%ld", T)
    const double *d_p = upstream("probabilities");
    double *d_x = zeros("gradients", "scores", *x)->data;
    for (long at = 0, n = 1; at < x->size; at += T, n = n % T + 1) {
        softmax(n, x->data + at, p->data + at);
        const double shared = d_p ? dot(n, p->data + at, d_p + at) : 0.0;
        for (long i = at; d_p && i < at + n; i++) d_x[i] = p->data[i] * (d_p[i] - shared);
    }
    give("outputs");
    if (d_p) give("gradients");
}
static void exponential(void) {
    const Tensor *x = given("inputs", "x"), *y = zeros("outputs", "y", *x);
    for (long i = 0; i < x->size; i++) y->data[i] = exp(x->data[i]);
    give("outputs");
}

int main(void) {
    for (size_t room = 0; getline(&message, &room, stdin) > 0; fflush(stdout)) {
        if (is(find(message, "cmd"), "\"stop\"")) break;
        const char *operation = find(message, "operation");
        if (*operation == '"') printf("{\"id\":%ld", strtol(find(message, "id"), NULL, 10));
        else if (strtol(find(message, "format"), NULL, 10) != 1) printf("{\"fault\":\"this target speaks format 1\"");
        else printf("{\"format\":1,\"name\":\"C\",\"operations\":"
                    "[\"attention\",\"causal_attention\",\"causal_softmax\",\"exponential\"]");
        if (is(operation, "\"attention\"")) attention(false);
        else if (is(operation, "\"causal_attention\"")) attention(true);
        else if (is(operation, "\"causal_softmax\"")) causal_softmax();
        else if (is(operation, "\"exponential\"")) exponential();
        else if (*operation == '"') printf(",\"skipped\":\"no such operation here\"");
        puts("}");
        while (last > tensors) free((--last)->data);
    }
}
