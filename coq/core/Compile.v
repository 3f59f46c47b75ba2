(** * Queries of the core as normal forms

    Scopes are lists of terms, one a column, so that an expression is compiled by one line a constructor; NULL is a value of both. *)
From Tallystick.core Require Export SumRule BagRule Summaries.

Fixpoint tnth (i : nat) (h : terms) : term := match h, i with Tc t _, O => t | Tc _ h, S i => tnth i h | Tn, _ => Apply (Lit Null) Tn end.
Fixpoint tapp (h k : terms) : terms := match h with Tn => k | Tc t h => Tc t (tapp h k) end.
Definition cells (n : nat) : terms := terms_of (map (Cell 0) (seq 0 n)).
Definition constants (r : row) : terms := terms_of (map (fun v => Apply (Lit v) Tn) r).
Definition un o a := ap1 (Scalar o) a.
Definition bin o a b := ap2 (Scalar o) a b.
(** At the end of a monomial, [k] slots further in: other monomials that go on from there. *)
Fixpoint ends (k : nat) (f : nat -> term -> terms -> list mono) (m : mono) : list mono := match m with
  | Take s m => map (Take s) (ends (S k) f m) | Give c h => f k c h end.
Definition on (f : nat -> term -> terms -> list mono) (l : list mono) : list mono := flat_map (ends 0 f) l.
Definition deeper (k : nat) (sc : list terms) : list terms := map (shifts k) sc.

Section Compile.
  Variable s : schema.
  Definition columns_of (t : string) : nat := match find (fun p => String.eqb (fst p) t) s with Some p => List.length (snd p) | None => 0 end.
  Fixpoint width (q : query) : nat := match q with
    | Scan t => columns_of t | Values rs => List.length (hd [] rs) | Filter _ q | Distinct q => width q | Project es _ => List.length es
    | Join _ p q => width p + width q | LeftJoin n _ p q => width p + n | UnionAll p _ => width p
    | Aggregate es cs _ => List.length es + List.length cs | Numbered _ _ _ q => S (width q) end.
  Definition call_bag (distinct : bool) (n : nat) (l : list mono) : bag :=
    to_bag (if distinct then [Take (Support (to_bag l)) (Give yes (cells n))] else l).
  Fixpoint ce (sc : list terms) (x : expression) {struct x} : term := match x with
    | Column i j => tnth j (nth i sc Tn) | Constant v => Apply (Lit v) Tn
    | Plus a b => bin SPlus (ce sc a) (ce sc b) | Times a b => bin STimes (ce sc a) (ce sc b) | Quotient r a b => bin (SQuotient r) (ce sc a) (ce sc b)
    | Call n k st es => Apply (Scalar (SCall n k st)) (terms_of (map (ce sc) es))
    | Compare c a b => bin (SCompare c) (ce sc a) (ce sc b) | Both a b => bin SBoth (ce sc a) (ce sc b) | Either a b => bin SEither (ce sc a) (ce sc b)
    | Negated a => un SNegated (ce sc a) | IsNull a => un SIsNull (ce sc a) | When c a b => ap3 (Scalar SWhen) (ce sc c) (ce sc a) (ce sc b)
    | Exists q => Ex (to_bag (cq sc q))
    | TheValue q => Summary Single (to_bag (cq sc q)) end
  with cq (sc : list terms) (q : query) {struct q} : list mono := match q with
    | Scan t => [Take (Table t) (Give yes (cells (columns_of t)))]
    | Values rs => map (fun r => Give yes (constants r)) rs
    | Filter c q => on (fun k d h => [Give (conj2 d (ce (h :: deeper k sc) c)) h]) (cq sc q)
    | Project es q => on (fun k d h => [Give d (terms_of (map (ce (h :: deeper k sc)) es))]) (cq sc q)
    | Join c p q => on (fun k d h => map (guard d) (on (fun j d' h' => let g := tapp (shifts j h) h' in
        [Give (conj2 d' (ce (g :: deeper j (deeper k sc)) c)) g]) (cq (h :: deeper k sc) q))) (cq sc p)
    | LeftJoin n c p q => on (fun k d h =>
        let inner := on (fun j d' h' => let g := tapp (shifts j h) h' in [Give (conj2 d' (ce (g :: deeper j (deeper k sc)) c)) g]) (cq (h :: deeper k sc) q) in
        map (guard d) (inner ++ [Give (neg (Ex (to_bag inner))) (tapp h (constants (repeat Null n)))])) (cq sc p)
    | UnionAll p q => cq sc p ++ cq sc q
    | Distinct q => [Take (Support (to_bag (cq sc q))) (Give yes (cells (width q)))]
    | Aggregate es cs q =>
        let calls sc l := map (fun c => match c with (f, distinct, condition, arguments) =>
          Summary (Of f) (call_bag distinct (List.length arguments) (on (fun k d h => [Give (conj2 d (ce (h :: deeper k sc) condition)) (terms_of (map (ce (h :: deeper k sc)) arguments))]) l)) end) cs in
        match es with
        | [] => [Give yes (terms_of (calls sc (cq sc q)))]
        | _ => let own := cells (List.length es) in let sc' := deeper 1 sc in
            [Take (Support (to_bag (on (fun k d h => [Give d (terms_of (map (ce (h :: deeper k sc)) es))]) (cq sc q))))
              (Give yes (tapp own (terms_of (calls sc' (on (fun k d h => [Give (conj2 d (same_terms (terms_of (map (ce (h :: deeper k sc')) es)) (shifts k own))) h]) (cq sc' q))))))] end
    | Numbered tag ps os q => [Take (Block (Places tag (List.length ps) (map snd os))
        (to_bag (on (fun k d h => let go x := ce (h :: deeper k sc) x in [Give d (tapp h (tapp (terms_of (map go ps)) (terms_of (map (fun o => go (fst o)) os))))]) (cq sc q))))
        (Give yes (cells (S (width q))))] end.

  (** Widths are as they should be. *)
  Fixpoint ok (x : expression) : bool := match x with
    | Column _ _ | Constant _ => true
    | Plus a b | Times a b | Quotient _ a b | Compare _ a b | Both a b | Either a b => ok a && ok b
    | Negated a | IsNull a => ok a | When c a b => ok c && ok a && ok b | Call _ _ _ es => forallb ok es
    | Exists q | TheValue q => okq q end
  with okq (q : query) : bool := match q with
    | Scan t => existsb (fun p => String.eqb (fst p) t) s
    | Values rs => forallb (fun r => Nat.eqb (List.length r) (List.length (hd [] rs))) rs
    | Filter c q => ok c && okq q | Project es q => forallb ok es && okq q
    | Join c p q => ok c && okq p && okq q | LeftJoin n c p q => ok c && okq p && okq q && Nat.eqb (width q) n
    | UnionAll p q => okq p && okq q && Nat.eqb (width p) (width q) | Distinct q => okq q
    | Aggregate es cs q => forallb ok es && forallb (fun c => match c with (_, _, condition, arguments) => ok condition && forallb ok arguments end) cs && okq q
    | Numbered _ ps os q => forallb ok ps && forallb (fun o => ok (fst o)) os && okq q end.

  Variables (w : world) (blocks : place -> list row -> list row) (named : string -> list value -> value).
  Hypothesis L : lawful w.
  Hypothesis C : conforms s w.
  Hypothesis BL : forall tag parts order l, blocks (Places tag parts order) l = numbered parts order (ties w tag l).
  Notation mt := (mt w blocks named).
  Notation mts := (mts w blocks named).
  Notation mm := (mm w blocks named).
  Notation mb := (mb w blocks named).
  Notation ms := (ms w blocks named).
  Notation rows_of := (rows_of w blocks named).

  Lemma mts_terms a l : mts a (terms_of l) = map (mt a) l.
  Proof. induction l as [|t l IH]; auto. cbn [terms_of map]. change (mts a (Tc t (terms_of l))) with (mt a t :: mts a (terms_of l)). now rewrite IH. Qed.
  Lemma mts_app a h k : mts a (tapp h k) = mts a h ++ mts a k.
  Proof. induction h as [|t h IH] using terms_list_i; auto. cbn [tapp]. change (mts a (Tc t ?x)) with (mt a t :: mts a x). now rewrite IH. Qed.
  Lemma mt_nth a i h : mt a (tnth i h) = nth i (mts a h) Null.
  Proof. revert i; induction h as [|t h IH] using terms_list_i; intros [|i]; auto. exact (IH i). Qed.
  Lemma cells_ok a n : List.length (a 0) = n -> mts a (cells n) = a 0.
  Proof. intros <-. unfold cells. rewrite mts_terms, map_map. change (map (fun x => nth x (a 0) Null) (seq 0 (List.length (a 0))) = a 0). generalize (a 0). clear.
    intros r. induction r as [|v r IH]; auto. cbn [List.length seq map]. rewrite <- seq_shift, map_map. cbn [nth]. now rewrite IH. Qed.
  Lemma constants_ok a r : mts a (constants r) = r.
  Proof. unfold constants. rewrite mts_terms, map_map. now apply map_id. Qed.
  Lemma deeper_ok a e k sc : (forall i, a (k + i) = e i) -> map (mts a) (deeper k sc) = map (mts e) sc.
  Proof. intros H. unfold deeper. rewrite map_map. apply map_ext. intros h. now apply shifts_ok. Qed.
  Lemma mb_to e l : mb e (to_bag l) = rows_of e l.
  Proof. induction l as [|m l IH]; auto. cbn [to_bag]. change (mb e (Bc m ?b)) with (mm e m ++ mb e b). now rewrite IH. Qed.
  Lemma rows_app e l k : rows_of e (l ++ k) = rows_of e l ++ rows_of e k.
  Proof. apply flat_map_app. Qed.
  Lemma rows_take e t l : Permutation (rows_of e (map (Take t) l)) (flat_map (fun r => rows_of (push r e) l) (ms e t)).
  Proof.
    etransitivity; [|apply flat_map_swap]. unfold BagRule.rows_of. rewrite flat_map_concat_map, map_map, <- flat_map_concat_map. apply Permutation_refl.
  Qed.
  Lemma rows_guard e d l : rows_of e (map (guard d) l) = if is_true (mt e d) then rows_of e l else [].
  Proof.
    assert (G : forall m e d, mm e (guard d m) = if is_true (mt e d) then mm e m else []).
    { clear. induction m as [t m IH|c h] using telescope_i; intros e d; cbn [guard].
      - change (mm e (Take t ?x)) with (flat_map (fun r => mm (push r e) x) (ms e t)). rewrite (flat_map_ext _ (fun r => if is_true (mt e d) then mm (push r e) m else [])).
        + destruct (is_true (mt e d)); auto. now induction (ms e t).
        + intros r. now rewrite IH, (shift_ok w blocks named 1 d e (push r e)).
      - change (mm e (Give ?x h)) with (if is_true (mt e x) then [mts e h] else []). rewrite conj2_ok. now destruct (is_true (mt e d)). }
    unfold BagRule.rows_of. induction l as [|m l IH]; [now destruct (is_true (mt e d))|]. cbn [map flat_map]. rewrite G, IH. now destruct (is_true (mt e d)).
  Qed.
  Lemma rows_give e c h : rows_of e [Give c h] = if is_true (mt e c) then [mts e h] else [].
  Proof. unfold BagRule.rows_of. cbn [flat_map]. rewrite app_nil_r. reflexivity. Qed.

  (** What goes on at the ends of monomials makes [g] of each row. *)
  Lemma ends_ok (g : row -> list row) e f : (forall k a c h, (forall i, a (k + i) = e i) -> Permutation (rows_of a (f k c h)) (if is_true (mt a c) then g (mts a h) else [])) ->
    forall l, Permutation (rows_of e (on f l)) (flat_map g (rows_of e l)).
  Proof.
    intros H. assert (E : forall m k a, (forall i, a (k + i) = e i) -> Permutation (rows_of a (ends k f m)) (flat_map g (mm a m))).
    { induction m as [t m IH|c h] using telescope_i; intros k a A; cbn [ends].
      - rewrite rows_take. change (mm a (Take t m)) with (flat_map (fun r => mm (push r a) m) (ms a t)). rewrite Normal.flat_map_flat_map. apply flat_map_permutation. intros r _.
        apply IH. intros i. cbn. apply A.
      - rewrite (H k a c h A). change (mm a (Give c h)) with (if is_true (mt a c) then [mts a h] else []). destruct (is_true (mt a c)); auto. cbn. now rewrite app_nil_r. }
    intros l. unfold on. induction l as [|m l IH]; auto. cbn [flat_map]. rewrite rows_app. unfold BagRule.rows_of at 3. cbn [flat_map]. rewrite flat_map_app.
    apply Permutation_app; [now apply (E m 0)|exact IH].
  Qed.

  Lemma sorted_in {A} (before : A -> A -> bool) l x : In x (sorted before l) -> In x l.
  Proof.
    assert (I : forall y l, In x (insert before y l) -> y = x \/ In x l) by (intros y k; induction k as [|z k IH]; cbn; [tauto|]; destruct (before z y); cbn; tauto).
    unfold sorted. induction l as [|y l IH]; cbn; auto. intros H. apply I in H as [->|H]; auto.
  Qed.
  Lemma placed_in own part l : forall seen r, In r (placed own part seen l) -> exists x v, In x l /\ r = own x ++ [v].
  Proof.
    induction l as [|x l IH]; cbn [placed]; intros seen r []; [exists x; eexists; split; [now left|symmetry; eassumption]|].
    destruct (IH _ _ H) as (y & v & Y & E). exists y, v. split; [now right|exact E].
  Qed.
  Lemma numbered_width parts order n l r : (forall x, In x l -> List.length x = n + parts + List.length order) -> In r (numbered parts order l) -> List.length r = S n.
  Proof. intros H R. unfold numbered in R. apply placed_in in R as (x & v & X & ->). apply sorted_in in X. rewrite app_length, firstn_length, (H x X). cbn. lia. Qed.
  Lemma answer_width q : okq q = true -> forall rs, Forall (fun r => List.length r = width q) (answer w rs q).
  Proof.
    revert q. fix IH 1. intros q O rs. destruct q as [t|vs|c q|es q|c p q|n c p q|p q|q|es cs q|tag ps os q]; cbn [okq width answer] in *; rewrite ?andb_true_iff in O; apply Forall_forall; intros r R.
    - unfold columns_of. destruct (find _ s) as [[t' cs]|] eqn:F.
      + apply find_some in F as [F1 F2]. apply String.eqb_eq in F2. cbn in F2. subst t'. pose proof (C t cs r F1 R) as X. symmetry. clear -X. cbn [snd]. induction X; cbn; auto.
      + apply existsb_exists in O as (x & X1 & X2). pose proof (find_none _ _ F x X1) as Y. cbn in Y. congruence.
    - rewrite forallb_forall in O. apply Nat.eqb_eq. now apply O.
    - destruct O as [_ O]. apply filter_In in R as [R _]. exact (proj1 (Forall_forall _ _) (IH q O rs) r R).
    - apply in_map_iff in R as (x & <- & _). apply map_length.
    - destruct O as [[_ O1] O2]. apply in_flat_map in R as (l & R1 & R). apply filter_In in R as [R _]. apply in_map_iff in R as (x & <- & R). rewrite app_length.
      now rewrite (proj1 (Forall_forall _ _) (IH p O1 rs) l R1), (proj1 (Forall_forall _ _) (IH q O2 (l :: rs)) x R).
    - destruct O as [[[_ O1] O2] O3]. apply Nat.eqb_eq in O3. apply in_flat_map in R as (l & R1 & R). pose proof (proj1 (Forall_forall _ _) (IH p O1 rs) l R1) as W.
      destruct (filter _ _) as [|x xs] eqn:F.
      + destruct R as [<-|[]]. now rewrite app_length, repeat_length, W.
      + rewrite <- F in R. apply filter_In in R as [R _]. apply in_map_iff in R as (y & <- & R). rewrite app_length.
        now rewrite W, (proj1 (Forall_forall _ _) (IH q O2 (l :: rs)) y R), O3.
    - destruct O as [[O1 O2] O3]. apply Nat.eqb_eq in O3. apply in_app_or in R as [R|R]; [exact (proj1 (Forall_forall _ _) (IH p O1 rs) r R)|].
      rewrite O3. exact (proj1 (Forall_forall _ _) (IH q O2 rs) r R).
    - apply nodup_In in R. exact (proj1 (Forall_forall _ _) (IH q O rs) r R).
    - destruct es as [|x es]; [destruct R as [<-|[]]; now rewrite map_length|]. apply in_map_iff in R as (k & <- & R). apply nodup_In in R. apply in_map_iff in R as (y & <- & _).
      rewrite app_length, !map_length. reflexivity.
    - destruct O as [_ O]. eapply numbered_width; [|exact R]. intros y Y. apply (Permutation_in _ (ties_rows w L tag _)) in Y. apply in_map_iff in Y as (x & <- & X).
      rewrite !app_length, !map_length, (proj1 (Forall_forall _ _) (IH q O rs) x X). lia.
  Qed.
  Lemma flat_filter {A} (p : A -> bool) l : flat_map (fun x => if p x then [x] else []) l = filter p l.
  Proof. induction l as [|x l IH]; cbn [flat_map filter]; [reflexivity|]. rewrite IH. now destruct (p x). Qed.
  Lemma flat_one {A B} (f : A -> B) l : flat_map (fun x => [f x]) l = map f l.
  Proof. induction l as [|x l IH]; cbn; [reflexivity|]. now rewrite IH. Qed.
  Lemma flat_joined (p : row -> bool) l k : flat_map (fun r => if p (l ++ r) then [l ++ r] else []) k = filter p (map (app l) k).
  Proof. induction k as [|r k IH]; cbn [flat_map map filter]; [reflexivity|]. rewrite IH. now destruct (p (l ++ r)). Qed.
  Lemma filter_perm {A} (p : A -> bool) l k : Permutation l k -> Permutation (filter p l) (filter p k).
  Proof. intros P. rewrite <- !flat_filter. now apply Permutation_flat_map. Qed.
  Lemma nodup_perm (l k : list row) : Permutation l k -> Permutation (nodup row_eq_dec l) (nodup row_eq_dec k).
  Proof. intros P. apply NoDup_Permutation; try apply NoDup_nodup. intros x. rewrite !nodup_In. split; apply Permutation_in; auto. now symmetry. Qed.
  (** A slot over the different rows of a bag of rows of one width. *)
  Lemma support_ok e l n (k : list row) : Permutation (rows_of e l) k -> Forall (fun r => List.length r = n) k ->
    Permutation (rows_of e [Take (Support (to_bag l)) (Give yes (cells n))]) (nodup row_eq_dec k).
  Proof.
    intros P F. unfold BagRule.rows_of. cbn [flat_map]. rewrite app_nil_r.
    change (Permutation (flat_map (fun r => [mts (push r e) (cells n)]) (nodup row_eq_dec (mb e (to_bag l)))) (nodup row_eq_dec k)). rewrite mb_to, flat_one.
    transitivity (nodup row_eq_dec (rows_of e l)); [|now apply nodup_perm]. apply Permutation_refl'. rewrite <- map_id. apply map_ext_in. intros r R. apply nodup_In in R.
    apply cells_ok. cbn. apply (Permutation_in _ P) in R. exact (proj1 (Forall_forall _ _) F r R).
  Qed.
  Lemma nothing_perm {A} (l k : list A) : Permutation l k -> (match l with [] => false | _ => true end) = (match k with [] => false | _ => true end).
  Proof. intros P. destruct l, k; auto; [now apply Permutation_nil in P|symmetry in P; now apply Permutation_nil in P]. Qed.

  (** A call over the rows of a group. *)
  Definition call_value (rs : list row) (group : list row) (c : Core.function * bool * expression * list expression) : value :=
    match c with (f, distinct, condition, arguments) =>
      let of := map (fun r => map (value_of w (r :: rs)) arguments) (filter (fun r => is_true (value_of w (r :: rs) condition)) group) in
      summary w f (if distinct then nodup row_eq_dec of else of) end.
  Lemma call_ok a sc rs l group f (distinct : bool) condition arguments : map (mts a) sc = rs -> Permutation (rows_of a l) group ->
    (forall b sc, mt b (ce sc condition) = value_of w (map (mts b) sc) condition) ->
    (forall b sc, map (mt b) (map (ce sc) arguments) = map (value_of w (map (mts b) sc)) arguments) ->
    mt a (Summary (Of f) (call_bag distinct (List.length arguments) (on (fun k d h => [Give (conj2 d (ce (h :: deeper k sc) condition)) (terms_of (map (ce (h :: deeper k sc)) arguments))]) l)))
      = call_value rs group (f, distinct, condition, arguments).
  Proof.
    intros S P HC HA. unfold call_value, call_bag. cbv zeta. set (of := map _ (filter _ group)). set (l' := on _ l).
    change (mt a (Summary (Of f) ?b)) with (summary w f (mb a b)). apply (summary_same w L). rewrite mb_to.
    assert (Q : Permutation (rows_of a l') of).
    { unfold l', of. etransitivity; [apply (ends_ok (fun r => if is_true (value_of w (r :: rs) condition) then [map (value_of w (r :: rs)) arguments] else []) a)|].
      - intros k b d h H. rewrite rows_give, conj2_ok, HC, mts_terms, HA. cbn [map]. rewrite (deeper_ok b a k sc H), S. destruct (is_true (mt b d)); auto.
      - rewrite (Permutation_flat_map _ P). apply Permutation_refl'. clear. induction group as [|r R IH]; cbn [flat_map filter map]; [reflexivity|]. rewrite IH.
        now destruct (is_true (value_of w (r :: rs) condition)). }
    destruct distinct; [|exact Q]. apply support_ok; [exact Q|]. unfold of. apply Forall_forall. intros r R. apply in_map_iff in R as (x & <- & _). apply map_length.
  Qed.

  Lemma e_ok (x : expression) : forall sc e, ok x = true -> mt e (ce sc x) = value_of w (map (mts e) sc) x
  with q_ok (q : query) : forall sc e, okq q = true -> Permutation (rows_of e (cq sc q)) (answer w (map (mts e) sc) q).
  Proof.
    - intros sc e O. destruct x as [i j|v|a b|a b|r a b|n k st es|c a b|a b|a b|a|a|c a b|q|q]; cbn [ok ce value_of] in *; rewrite ?andb_true_iff in O.
      + rewrite mt_nth. f_equal. change (@nil value) with (mts e Tn). now rewrite map_nth.
      + reflexivity.
      + rewrite <- !e_ok by apply O. reflexivity.
      + rewrite <- !e_ok by apply O. reflexivity.
      + rewrite <- !e_ok by apply O. reflexivity.
      + change (mt e (Apply (Scalar (SCall n k st)) ?ts)) with (scalar_value w (SCall n k st) (mts e ts)). rewrite mts_terms, map_map.
        replace (map (fun y => mt e (ce sc y)) es) with (map (value_of w (map (mts e) sc)) es); [reflexivity|].
        induction es as [|y es IH]; auto. cbn [forallb map] in *. apply andb_prop in O as [O1 O2]. rewrite IH by exact O2. f_equal. symmetry. now apply e_ok.
      + rewrite <- !e_ok by apply O. reflexivity.
      + rewrite <- !e_ok by apply O. reflexivity.
      + rewrite <- !e_ok by apply O. reflexivity.
      + rewrite <- !e_ok by apply O. reflexivity.
      + rewrite <- !e_ok by apply O. reflexivity.
      + rewrite <- !e_ok by apply O. reflexivity.
      + change (mt e (Ex ?b)) with (Truth match mb e b with [] => false | _ => true end). rewrite mb_to. f_equal. apply nothing_perm. now apply q_ok.
      + change (mt e (Summary Single ?b)) with (folded w Single (mb e b)). rewrite mb_to. exact (folded_function w L Single _ _ (q_ok q sc e O)).
    - intros sc e O. set (rs := map (mts e) sc).
      assert (SC : forall k a h, (forall i, a (k + i) = e i) -> map (mts a) (h :: deeper k sc) = mts a h :: rs) by (intros k a h H; cbn [map]; now rewrite (deeper_ok a e k sc H)).
      destruct q as [t|vs|c q|es q|c p q|n c p q|p q|q|es cs q|tag ps os q]; cbn [okq cq answer] in *; rewrite ?andb_true_iff in O.
      + pose proof (answer_width (Scan t) O rs) as W. cbn [answer width] in W. unfold BagRule.rows_of. cbn [flat_map]. rewrite app_nil_r.
        change (Permutation (flat_map (fun r => [mts (push r e) (cells (columns_of t))]) (tables w t)) (tables w t)). rewrite flat_one.
        apply Permutation_refl'. rewrite <- map_id. apply map_ext_in. intros r R. apply cells_ok. exact (proj1 (Forall_forall _ _) W r R).
      + apply Permutation_refl'. clear. induction vs as [|r vs IH]; auto. cbn [map]. change (rows_of e (?m :: ?l)) with (mm e m ++ rows_of e l). rewrite IH.
        change (mm e (Give yes (constants r))) with [mts e (constants r)]. now rewrite constants_ok.
      + destruct O as [O1 O2]. etransitivity; [apply (ends_ok (fun r => if is_true (value_of w (r :: rs) c) then [r] else []) e)|].
        * intros k a d h H. rewrite rows_give, conj2_ok, e_ok, (SC k a h H) by exact O1. destruct (is_true (mt a d)); auto.
        * rewrite flat_filter. apply filter_perm. now apply q_ok.
      + destruct O as [O1 O2]. etransitivity; [apply (ends_ok (fun r => [map (value_of w (r :: rs)) es]) e)|].
        * intros k a d h H. rewrite rows_give, mts_terms, map_map. destruct (is_true (mt a d)); auto.
          replace (map (fun y => mt a (ce (h :: deeper k sc) y)) es) with (map (value_of w (mts a h :: rs)) es); [apply Permutation_refl|]. rewrite <- (SC k a h H).
          generalize (h :: deeper k sc). intros sc'. clear -e_ok O1. induction es as [|y es IH]; cbn [map]; [reflexivity|]. cbn [forallb] in O1. apply andb_prop in O1 as [O1 O2]. rewrite IH by exact O2. f_equal. symmetry. now apply e_ok.
        * rewrite flat_one. apply Permutation_map. now apply q_ok.
      + destruct O as [[O1 O2] O3]. etransitivity; [apply (ends_ok (fun l => filter (fun r => is_true (value_of w (r :: rs) c)) (map (app l) (answer w (l :: rs) q))) e)|apply Permutation_flat_map; now apply q_ok].
        intros k a d h H. rewrite rows_guard. destruct (is_true (mt a d)); auto. set (l := mts a h).
        etransitivity; [apply (ends_ok (fun r => if is_true (value_of w ((l ++ r) :: rs) c) then [l ++ r] else []) a)|].
        * intros j a' d' h' H'. cbv zeta. rewrite rows_give, conj2_ok, e_ok by exact O1. cbn [map]. rewrite mts_app, (deeper_ok a' a j _ H'), (deeper_ok a e k sc H), (shifts_ok w blocks named j h a a' H'). fold l rs. destruct (is_true (mt a' d')); auto.
        * pose proof (q_ok q (h :: deeper k sc) a O3) as Q. rewrite (SC k a h H) in Q. fold l in Q. rewrite (Permutation_flat_map _ Q). apply Permutation_refl'.
          exact (flat_joined (fun r => is_true (value_of w (r :: rs) c)) l (answer w (l :: rs) q)).
      + destruct O as [[[O1 O2] O3] _]. etransitivity; [apply (ends_ok (fun l => match filter (fun r => is_true (value_of w (r :: rs) c)) (map (app l) (answer w (l :: rs) q)) with [] => [l ++ repeat Null n] | joined => joined end) e)|apply Permutation_flat_map; now apply q_ok].
        intros k a d h H. cbv zeta. rewrite rows_guard. destruct (is_true (mt a d)); auto. set (l := mts a h).
        match goal with |- Permutation (rows_of a (?i ++ _)) _ => set (inner := i) end.
        assert (I : Permutation (rows_of a inner) (filter (fun r => is_true (value_of w (r :: rs) c)) (map (app l) (answer w (l :: rs) q)))).
        { etransitivity; [apply (ends_ok (fun r => if is_true (value_of w ((l ++ r) :: rs) c) then [l ++ r] else []) a)|].
          * intros j a' d' h' H'. cbv zeta. rewrite rows_give, conj2_ok, e_ok by exact O1. cbn [map]. rewrite mts_app, (deeper_ok a' a j _ H'), (deeper_ok a e k sc H), (shifts_ok w blocks named j h a a' H'). fold l rs. destruct (is_true (mt a' d')); auto.
          * pose proof (q_ok q (h :: deeper k sc) a O3) as Q. rewrite (SC k a h H) in Q. fold l in Q. rewrite (Permutation_flat_map _ Q). apply Permutation_refl'.
            exact (flat_joined (fun r => is_true (value_of w (r :: rs) c)) l (answer w (l :: rs) q)). }
        rewrite rows_app, rows_give. change (is_true (mt a (neg (Ex (to_bag inner))))) with (negb (match mb a (to_bag inner) with [] => false | _ => true end)). rewrite mb_to, (nothing_perm _ _ I).
        rewrite mts_app, constants_ok. fold l. destruct (filter _ _) as [|r R]; cbn [negb]; [|now rewrite app_nil_r]. symmetry in I. apply Permutation_nil in I. rewrite I. reflexivity.
      + destruct O as [[O1 O2] _]. rewrite rows_app. apply Permutation_app; now apply q_ok.
      + apply support_ok; [now apply q_ok|now apply answer_width].
      + destruct O as [[O1 O2] O3].
        assert (KEYS : forall a sc', map (mt a) (map (ce sc') es) = map (value_of w (map (mts a) sc')) es).
        { intros a sc'. clear -e_ok O1. induction es as [|y es IH]; cbn [map]; [reflexivity|]. cbn [forallb] in O1. apply andb_prop in O1 as [O1 O2]. rewrite IH by exact O2. f_equal. now apply e_ok. }
        assert (CALLS : forall a sc' l group, map (mts a) sc' = rs -> Permutation (rows_of a l) group ->
          map (mt a) (map (fun c => match c with (f, distinct, condition, arguments) =>
            Summary (Of f) (call_bag distinct (List.length arguments) (on (fun k d h => [Give (conj2 d (ce (h :: deeper k sc') condition)) (terms_of (map (ce (h :: deeper k sc')) arguments))]) l)) end) cs) = map (call_value rs group) cs).
        { intros a sc' l group S P. clear -e_ok O2 S P L. induction cs as [|[[[f distinct] condition] arguments] cs IH]; cbn [map]; [reflexivity|]. cbn [forallb] in O2. apply andb_prop in O2 as [O2 O3]. apply andb_prop in O2 as [O2 O4].
          rewrite IH by exact O3. f_equal. apply call_ok; auto.
          intros b sc2. clear -e_ok O4. induction arguments as [|y es IH]; cbn [map]; [reflexivity|]. cbn [forallb] in O4. apply andb_prop in O4 as [O1 O2]. rewrite IH by exact O2. f_equal. now apply e_ok. }
        set (key := fun r => map (value_of w (r :: rs)) es). set (all := answer w rs q).
        change (Permutation (rows_of e (cq sc (Aggregate es cs q))) (match es with [] => [map (call_value rs all) cs]
          | _ => map (fun k => k ++ map (call_value rs (filter (fun r => same_row (key r) k) all)) cs) (nodup row_eq_dec (map key all)) end)).
        assert (KEY : forall r, key r = map (value_of w (r :: rs)) es) by reflexivity. clearbody key.
        cbn [cq]. cbv zeta. destruct es as [|x es0] eqn:ES.
        * rewrite rows_give. change (is_true (mt e yes)) with true. cbv iota. rewrite mts_terms. apply Permutation_refl'. f_equal. apply CALLS; [reflexivity|now apply q_ok].
        * rewrite <- ES in *. unfold BagRule.rows_of. cbn [flat_map]. rewrite app_nil_r.
          match goal with |- Permutation (mm e (Take (Support ?b) (Give yes ?t))) _ => change (Permutation (flat_map (fun k => [mts (push k e) t]) (nodup row_eq_dec (mb e b))) (map (fun k => k ++ map (call_value rs (filter (fun r => same_row (key r) k) all)) cs) (nodup row_eq_dec (map key all)))) end.
          rewrite mb_to, flat_one.
          assert (P : Permutation (nodup row_eq_dec (rows_of e (on (fun k d h => [Give d (terms_of (map (ce (h :: deeper k sc)) es))]) (cq sc q)))) (nodup row_eq_dec (map key all))).
          { apply nodup_perm. etransitivity; [apply (ends_ok (fun r => [key r]) e)|rewrite flat_one; apply Permutation_map; now apply q_ok].
            intros k a d h H. rewrite rows_give, mts_terms, KEYS, (SC k a h H), <- KEY. destruct (is_true (mt a d)); apply Permutation_refl. }
          rewrite P. apply Permutation_refl'. apply map_ext_in. intros k K. apply nodup_In, in_map_iff in K as (r0 & K & _).
          assert (OWN : mts (push k e) (cells (List.length es)) = k) by (apply cells_ok; cbn; rewrite <- K, KEY; apply map_length).
          rewrite mts_app, OWN, mts_terms. f_equal. apply CALLS; [now apply deeper_ok|].
          etransitivity; [apply (ends_ok (fun r => if same_row (key r) k then [r] else []) (push k e))|].
          -- intros j b d h H. rewrite rows_give, conj2_ok. replace (is_true (mt b (same_terms _ _))) with (same_row (key (mts b h)) k); [destruct (is_true (mt b d)); auto|].
             symmetry. match goal with |- is_true (mt b (same_terms ?x ?y)) = _ => pose proof (same_terms_ok w blocks named b x y) as X end.
             rewrite mts_terms, KEYS, (shifts_ok w blocks named j _ (push k e) b H), OWN in X. cbn [map] in X. rewrite (deeper_ok b (push k e) j _ H), (deeper_ok (push k e) e 1 sc) in X by auto. fold rs in X.
             rewrite <- KEY in X. unfold same_row. destruct (row_eq_dec _ _) as [Y|Y]; [now apply X|]. apply not_true_is_false. tauto.
          -- rewrite flat_filter. apply filter_perm. pose proof (q_ok q (deeper 1 sc) (push k e) O3) as Q. rewrite (deeper_ok (push k e) e 1 sc) in Q by auto. exact Q.
      + destruct O as [[O1 O2] O3]. pose proof (answer_width (Numbered tag ps os q) ltac:(cbn [okq]; now rewrite O1, O2, O3) rs) as W. cbn [width] in W.
        assert (PS : forall a sc', map (mt a) (map (ce sc') ps) = map (value_of w (map (mts a) sc')) ps).
        { intros a sc'. clear -e_ok O1. induction ps as [|y es IH]; cbn [map]; [reflexivity|]. cbn [forallb] in O1. apply andb_prop in O1 as [O1 O2]. rewrite IH by exact O2. f_equal. now apply e_ok. }
        assert (OS : forall a sc', map (mt a) (map (fun o => ce sc' (fst o)) os) = map (fun o => value_of w (map (mts a) sc') (fst o)) os).
        { intros a sc'. clear -e_ok O2. induction os as [|[y u] es IH]; cbn [map fst]; [reflexivity|]. cbn [forallb fst] in O2. apply andb_prop in O2 as [O1 O2]. rewrite IH by exact O2. f_equal. now apply e_ok. }
        cbv zeta. set (wide := fun r : row => r ++ map (value_of w (r :: rs)) ps ++ map (fun o => value_of w (r :: rs) (fst o)) os).
        match goal with |- Permutation (rows_of e [Take (Block ?n (to_bag ?l)) (Give yes ?t)]) _ => set (inner := l);
          assert (P : Permutation (rows_of e l) (map wide (answer w rs q))) end.
        { etransitivity; [apply (ends_ok (fun r => [wide r]) e)|rewrite flat_one; apply Permutation_map; now apply q_ok].
          intros k a d h H. rewrite rows_give, !mts_app, !mts_terms, PS, OS, (SC k a h H). destruct (is_true (mt a d)); apply Permutation_refl. }
        unfold BagRule.rows_of. cbn [flat_map]. rewrite app_nil_r.
        change (Permutation (flat_map (fun r => [mts (push r e) (cells (S (width q)))]) (blocks (Places tag (List.length ps) (map snd os)) (mb e (to_bag inner)))) (answer w rs (Numbered tag ps os q))).
        rewrite mb_to, BL, (ties_same w L tag (rows_of e inner) _ P), flat_one. apply Permutation_refl'.
        change (numbered (List.length ps) (map snd os) (ties w tag (map wide (answer w rs q)))) with (answer w rs (Numbered tag ps os q)).
        rewrite <- map_id. apply map_ext_in. intros r R. apply cells_ok. exact (proj1 (Forall_forall _ _) W r R).
  Qed.
End Compile.
