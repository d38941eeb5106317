int x;
//@hone name: sgemm
//@hone params:
//@hone   BM: [64, 128]
//@hone
//@hone   BN: 3
void f();
